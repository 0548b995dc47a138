// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.seal.Pointer;
import java.util.List;

/**
 * Bytes of an image that are fetched and kept together: about those of a region, so that a region is fetched once.
 * Where one begins and ends depends on the list's page alone.
 *
 * @param start where in the image
 * @param bytes how many; at most some hundred thousand or a chunk's, unless it is a hole
 * @param pointers that they are made of, in order; none if it is a hole
 */
record Stretch(long start, long bytes, List<Pointer> pointers) {

    boolean isHole() {
        return pointers.isEmpty();
    }

    long end() {
        return start + bytes;
    }

    /** Plain length of its chunks at most: one that comes twice is counted twice. */
    long chunkBytes() {
        return pointers.stream().mapToLong(pointer -> pointer.chunk().length()).sum();
    }
}
