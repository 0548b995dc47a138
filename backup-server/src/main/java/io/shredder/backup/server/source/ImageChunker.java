// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.backup.client.Pace;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * START HERE. Cuts an image into chunks, exactly those of reading it whole; holes are neither read nor digested, and long runs of zeros are
 * read but not digested. The engine reads on a thread of its own and the chunks come on the caller's.
 */
public final class ImageChunker {

    private final Shredder engine;
    private final ChunkingParams params;
    private final Pace pace;

    /** Takes the chunks of an image, in order. */
    @FunctionalInterface
    public interface Consumer {
        /**
         * Takes one.
         *
         * @param data its bytes, valid during the call only
         */
        void accept(Fingerprint fingerprint, ByteBuffer data) throws IOException;
    }

    /**
     * The engine stays the caller's.
     *
     * @param pace how fast the image may be read
     */
    public ImageChunker(Shredder engine, ChunkingParams params, Pace pace) {
        this.engine = engine;
        this.params = params;
        this.pace = pace;
    }

    /** Returns when the consumer has taken the last chunk and the image has kept its length. */
    public void chunk(ImageSource image, Consumer consumer) throws IOException {
        ShortenedZeros zeros = new ShortenedZeros(params);
        engine.chunk(new ShortenedChannel(image, zeros, pace), params, true, batch -> handOn(batch, zeros, consumer));
        image.checkUnchanged();
    }

    /** The same for an image that comes as a stream: there is nothing to be left out of it. */
    public void chunk(ReadableByteChannel stream, Consumer consumer) throws IOException {
        ShortenedZeros none = new ShortenedZeros(params);
        engine.chunk(stream, params, true, batch -> handOn(batch, none, consumer));
    }

    private static void handOn(ChunkBatch batch, ShortenedZeros zeros, Consumer consumer) throws IOException {
        for (int i = 0; i < batch.count(); i++) {
            Fingerprint fingerprint = batch.fingerprint(i);
            consumer.accept(fingerprint, batch.data(i));
            for (long copies = zeros.leftOutAt(batch.offset(i), batch.length(i)); copies > 0; copies--) {
                consumer.accept(fingerprint, batch.data(i));
            }
        }
    }
}
