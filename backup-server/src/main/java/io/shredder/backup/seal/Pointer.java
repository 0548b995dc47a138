// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.region.ChunkRef;
import io.shredder.chunk.Fingerprint;
import java.util.List;
import java.util.Objects;

/**
 * Where a snapshot's list says that the image's next bytes are: in a chunk, most often all of it.
 *
 * @param chunk that has them
 * @param from where in the chunk they begin
 * @param length how many they are, at least 1
 */
public record Pointer(ChunkRef chunk, int from, int length) {

    /** Refuses what is not within the chunk. */
    public Pointer {
        Objects.checkFromIndexSize(from, length, chunk.length());
        if (length < 1) {
            throw new IllegalArgumentException("a pointer to " + length + " bytes");
        }
    }

    /** To all of a chunk. */
    public static Pointer to(ChunkRef chunk) {
        return new Pointer(chunk, 0, chunk.length());
    }

    /** Identity of the chunk. */
    public Fingerprint fingerprint() {
        return chunk.fingerprint();
    }

    /** Whether the bytes are all of the chunk. */
    public boolean isWhole() {
        return length == chunk.length();
    }

    /** To {@code count} of these bytes, from one of them on. */
    public Pointer part(int first, int count) {
        Objects.checkFromIndexSize(first, count, length);
        return new Pointer(chunk, from + first, count);
    }

    /** The bytes of several. */
    public static long bytes(List<Pointer> pointers) {
        long bytes = 0;
        for (Pointer pointer : pointers) { // Of each chunk of an image: a stream costs more than the sum.
            bytes += pointer.length();
        }
        return bytes;
    }
}
