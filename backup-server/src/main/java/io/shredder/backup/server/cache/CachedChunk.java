// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A chunk of an image, as it was cut, and where a snapshot has its bytes.
 *
 * @param ref length and identity
 * @param pointers to its bytes, in order: to all of itself, unless it is made of parts of others
 * @param pieces their tags
 */
public record CachedChunk(ChunkRef ref, List<Pointer> pointers, Pieces pieces) {

    /** Copies the list; refuses pointers to more or fewer bytes than the chunk has, and pieces that are not its. */
    public CachedChunk {
        pointers = List.copyOf(pointers);
        if (Pointer.bytes(pointers) != ref.length()) {
            throw new IllegalArgumentException(
                    "pointers to " + Pointer.bytes(pointers) + " bytes for a chunk of " + ref.length());
        }
        if (pieces.tags().count() != Pieces.count(ref.length(), pieces.first())) {
            throw new IllegalArgumentException(pieces.tags() + " for a chunk of " + ref.length() + " bytes");
        }
    }

    /** A chunk that is kept as it is. */
    public static CachedChunk whole(ChunkRef ref, Pieces pieces) {
        return new CachedChunk(ref, List.of(Pointer.to(ref)), pieces);
    }

    /** Whether it is kept as it is. */
    public boolean isWhole() {
        return pointers.size() == 1 && pointers.get(0).chunk().equals(ref);
    }

    /** Its length. */
    public int length() {
        return ref.length();
    }

    /** Where some of its bytes are, from one of them on. */
    public List<Pointer> part(int from, int count) {
        Objects.checkFromIndexSize(from, count, length());
        List<Pointer> part = new ArrayList<>();
        int begin = 0;
        for (Pointer pointer : pointers) {
            int end = begin + pointer.length();
            int first = Math.max(begin, from);
            int last = Math.min(end, from + count);
            if (first < last) {
                part.add(pointer.part(first - begin, last - first));
            }
            begin = end;
        }
        return part;
    }
}
