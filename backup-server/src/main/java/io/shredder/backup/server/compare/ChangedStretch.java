// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.changes.ChangeCheck;
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

    /** Most often the old cuts are found again right behind what changed. */
    private static final int BEHIND_BYTES = 4096;

    private final SharedImage image;
    private final MemoryCuts cuts;
    private final DigestAlgorithm digest;
    private final DataMap dataMap;
    private final ChangeCheck check;
    private final int leastBytes;
    private ByteBuffer buffer;

    ChangedStretch(SharedImage image, ChunkingParams params, DataMap dataMap, ChangeCheck check) throws IOException {
        this.check = check;
        this.image = image;
        this.cuts = new MemoryCuts(params);
        this.digest = params.digest();
        this.dataMap = dataMap;
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
        long wanted = wanted(from, changedBytes);
        ByteBuffer data = read(from, wanted);
        int[] lengths = lengths(data, from);
        while (lengths.length == 0) {
            wanted = Math.min(2 * wanted, leastBytes);
            data = read(from, wanted);
            lengths = lengths(data, from);
        }
        long at = from;
        for (int length : lengths) {
            ByteBuffer chunk = data.slice((int) (at - from), length).asReadOnlyBuffer();
            consumer.changed(MemoryDigests.of(digest, chunk), chunk, old.keptWithin(at, at + length), Optional.empty());
            at += length;
            if (old.isUnchangedAt(at)) {
                break;
            }
        }
        return at;
    }

    private int[] lengths(ByteBuffer data, long from) throws IOException {
        return cuts.lengths(data, from + data.remaining() == image.imageBytes());
    }

    /** Where not all is to be read, little more than up to where the next range ends that is. */
    private long wanted(long from, long changedBytes) {
        long most = Math.max(leastBytes, Math.min(MOST_BYTES, changedBytes));
        long next = check.nextFrom(from);
        if (check.readsAll() || next - from >= leastBytes) {
            return check.readsAll() ? most : BEHIND_BYTES;
        }
        return Math.min(most, check.endOf(next) - from + BEHIND_BYTES);
    }

    private ByteBuffer read(long from, long wanted) throws IOException {
        if (buffer.capacity() < wanted) {
            buffer = ByteBuffer.allocateDirect(Math.max(leastBytes, MOST_BYTES));
        }
        int bytes = (int) Math.min(wanted, image.imageBytes() - from);
        dataMap.read(buffer.clear().limit(bytes), from);
        return buffer.flip();
    }
}
