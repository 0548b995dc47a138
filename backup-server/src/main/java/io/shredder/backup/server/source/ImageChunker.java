// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.server.stage.SharedWork;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts an image into chunks, exactly those of reading it whole; holes are neither read nor digested, and
 * long runs of zeros are read but not digested. The engine reads on a thread of its own and the chunks come on the
 * caller's.
 */
public final class ImageChunker {

    /** What is handed over at once: enough for several threads to work on, who take a while to wake. */
    private static final int TOGETHER_BYTES = 32 << 20;

    private final Shredder engine;
    private final ChunkingParams params;
    private final Pace pace;
    private final int readers;
    private final int weight;
    private final BackupTimes times;

    /** Takes the chunks of an image, in order. */
    @FunctionalInterface
    public interface Consumer {
        /**
         * Takes some.
         *
         * @param chunks whose bytes are valid during the call only, and lie back to back
         */
        void accept(List<CutChunk> chunks) throws IOException;
    }

    /**
     * The engine stays the caller's.
     *
     * @param pace how fast the image may be read
     * @param readers how many threads read, at most
     * @param weight of its share of the engine's devices
     * @param times counts how long is read, and waited for what is to be handed over
     */
    public ImageChunker(Shredder engine, ChunkingParams params, Pace pace, int readers, int weight, BackupTimes times) {
        this.readers = readers;
        this.weight = weight;
        this.engine = engine;
        this.params = params;
        this.pace = pace;
        this.times = times;
    }

    /** Returns when the consumer has taken the last chunk and the image has kept its length. */
    public void chunk(ImageSource image, Consumer consumer) throws IOException {
        ShortenedZeros zeros = new ShortenedZeros(params);
        try (SharedWork reading = new SharedWork(readers, "backup-read")) {
            chunk(new ShortenedChannel(image, zeros, pace, reading), zeros, consumer);
        }
        image.checkUnchanged();
    }

    /** The same for an image that comes as a stream: there is nothing to be left out of it. */
    public void chunk(ReadableByteChannel stream, Consumer consumer) throws IOException {
        chunk(stream, new ShortenedZeros(params), consumer);
    }

    private void chunk(ReadableByteChannel stream, ShortenedZeros zeros, Consumer consumer) throws IOException {
        long beginNs = System.nanoTime();
        long[] askedNs = {beginNs};
        engine.chunk(new TimedChannel(stream, times.reading()), params, true, weight, batch -> {
            times.lookingUp().awaitedInput(System.nanoTime() - askedNs[0]);
            handOn(batch, zeros, consumer);
            askedNs[0] = System.nanoTime();
        });
        times.lookingUp().awaitedInput(System.nanoTime() - askedNs[0]);
        times.reading().wereThere(1, System.nanoTime() - beginNs);
    }

    private static void handOn(ChunkBatch batch, ShortenedZeros zeros, Consumer consumer) throws IOException {
        List<CutChunk> chunks = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < batch.count(); i++) {
            long leftOut = zeros.leftOutAt(batch.offset(i), batch.length(i));
            chunks.add(new CutChunk(batch.fingerprint(i), batch.data(i), 1 + leftOut));
            bytes += batch.length(i);
            if (bytes >= TOGETHER_BYTES || i + 1 == batch.count()) {
                consumer.accept(chunks);
                chunks = new ArrayList<>();
                bytes = 0;
            }
        }
    }

    /** Counts how long it takes to read. */
    private record TimedChannel(ReadableByteChannel channel, StageTime time) implements ReadableByteChannel {

        @Override
        public int read(ByteBuffer into) throws IOException {
            return time.called(() -> channel.read(into));
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
