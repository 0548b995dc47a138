// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.engine.TagList;

/**
 * A chunk's pieces, each tagged for itself, so that one can tell which parts of a chunk have changed:
 * {@code docs/formats/cache.md}, section 1. All but the first and the last have {@value #BYTES} bytes and lie where a
 * file system's blocks do.
 *
 * @param first length of the first piece, or more than the chunk's if that is the only one; 1 to {@value #BYTES}
 * @param tags one a piece
 */
public record Pieces(int first, TagList tags) {

    /** Length of a piece: of a block of most file systems and of a page of most databases, or a part of it. */
    public static final int BYTES = 4096;

    /** How long the first piece of a chunk is that begins here. */
    public static int firstAt(long offset) {
        return BYTES - (int) (offset % BYTES);
    }

    /** How many pieces a chunk has. */
    public static int count(int chunkBytes, int first) {
        return chunkBytes <= first ? 1 : 1 + (chunkBytes - first + BYTES - 1) / BYTES;
    }

    /** Where in the chunk a piece begins; where the chunk ends, for the number behind the last. */
    public static int start(int number, int chunkBytes, int first) {
        return number == 0 ? 0 : (int) Math.min(chunkBytes, first + (number - 1L) * BYTES);
    }

    /** The lengths of a chunk's pieces. */
    public static int[] lengths(int chunkBytes, int first) {
        int[] lengths = new int[count(chunkBytes, first)];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = start(i + 1, chunkBytes, first) - start(i, chunkBytes, first);
        }
        return lengths;
    }
}
