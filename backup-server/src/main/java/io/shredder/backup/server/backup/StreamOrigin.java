// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageStream;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The chunks of an image that comes once, so that the bytes of every chunk are kept until the agent is known to have
 * it.
 */
final class StreamOrigin implements ChunkOrigin {

    private final ImageStream stream;
    private final Shredder engine;
    private final AtomicLong bytes = new AtomicLong();

    StreamOrigin(ImageStream stream, Shredder engine) {
        this.stream = stream;
        this.engine = engine;
    }

    @Override
    public void chunk(LastSnapshot last, ChunkingParams params, ChunkHandOver chunks, BackupTimes times)
            throws IOException {
        new ImageChunker(engine, params, Pace.unlimited(), 1, FairShares.USUAL_WEIGHT, times)
                .chunk(stream.channel(), chunks);
    }

    @Override
    public long imageBytes() {
        return Request.Begin.UNKNOWN_LENGTH;
    }

    @Override
    public ExpectedChunks expected(LastSnapshot last) {
        return new ExpectedChunks(Optional.empty());
    }

    @Override
    public byte[] bytes(long offset, int count) {
        throw new IllegalStateException("a stream can't be read again");
    }

    @Override
    public void begin(ProvedSeries series, LastSnapshot last) {}

    @Override
    public ImageReading reading() {
        return ImageReading.untracked(bytes.get());
    }

    @Override
    public Remarks remarks(Remarks given, long imageBytes) throws IOException {
        stream.checkWhole(imageBytes);
        bytes.set(imageBytes);
        return given;
    }
}
