// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.client.Pace;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.MemoryCuts;
import io.shredder.engine.MemoryDigests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Cuts and digests what changed, some chunks at a time, on the caller's thread. One thread. */
final class ChangedStretch {

    private static final int MOST_BYTES = 4 << 20;

    private final SharedImage image;
    private final MemoryCuts cuts;
    private final DigestAlgorithm digest;
    private final Pace pace;
    private final int leastBytes;
    private ByteBuffer buffer;

    ChangedStretch(SharedImage image, ChunkingParams params, Pace pace) throws IOException {
        this.image = image;
        this.cuts = new MemoryCuts(params);
        this.digest = params.digest();
        this.pace = pace;
        // More than the longest chunk, so that one certainly ends in it.
        this.leastBytes = params.maxBytes() + 1;
        this.buffer = ByteBuffer.allocateDirect(leastBytes);
    }

    /**
     * Hands on at least one chunk, and more until an unchanged one follows or a while is over.
     *
     * @param from a cut of the image
     * @param changedBytes how much has changed on end before: the more, the more is read at once
     * @return where it ends: a cut of the image
     */
    long cut(long from, long changedBytes, OldChunks old, ChunkConsumer consumer) throws IOException {
        ByteBuffer data = read(from, changedBytes);
        boolean last = from + data.remaining() == image.imageBytes();
        long at = from;
        for (int length : cuts.lengths(data, last)) {
            ByteBuffer chunk = data.slice((int) (at - from), length).asReadOnlyBuffer();
            consumer.changed(MemoryDigests.of(digest, chunk), chunk, old.keptWithin(at, at + length), Optional.empty());
            at += length;
            if (old.isUnchangedAt(at)) {
                break;
            }
        }
        return at;
    }

    private ByteBuffer read(long from, long changedBytes) throws IOException {
        int wanted = (int) Math.max(leastBytes, Math.min(MOST_BYTES, changedBytes));
        if (buffer.capacity() < wanted) {
            buffer = ByteBuffer.allocateDirect(Math.max(leastBytes, MOST_BYTES));
        }
        int bytes = (int) Math.min(wanted, image.imageBytes() - from);
        pace.take(bytes);
        image.read(buffer.clear().limit(bytes), from);
        return buffer.flip();
    }
}
