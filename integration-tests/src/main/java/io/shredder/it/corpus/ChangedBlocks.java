// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * How two versions of an image differ, block by block of 4 KiB.
 *
 * @param blocks of the longer one
 * @param zero blocks of the first that hold nothing but zeros
 * @param changed blocks that are not the same at the same place
 */
public record ChangedBlocks(long blocks, long zero, long changed) {
    private static final int PIECE_BYTES = 1 << 20;
    private static final int BLOCK_BYTES = 4096;

    /** Reads both whole. */
    public static ChangedBlocks between(Path first, Path second) throws IOException {
        byte[] nothing = new byte[BLOCK_BYTES];
        long blocks = 0;
        long zero = 0;
        long changed = 0;
        try (InputStream before = Files.newInputStream(first);
                InputStream after = Files.newInputStream(second)) {
            while (true) {
                byte[] old = before.readNBytes(PIECE_BYTES);
                byte[] now = after.readNBytes(PIECE_BYTES);
                int length = Math.max(old.length, now.length);
                if (length == 0) {
                    return new ChangedBlocks(blocks, zero, changed);
                }
                for (int from = 0; from < length; from += BLOCK_BYTES) {
                    int oldEnd = Math.min(old.length, from + BLOCK_BYTES);
                    int newEnd = Math.min(now.length, from + BLOCK_BYTES);
                    blocks++;
                    zero += from < oldEnd && Arrays.equals(old, from, oldEnd, nothing, 0, oldEnd - from) ? 1 : 0;
                    changed += from < oldEnd && from < newEnd && Arrays.equals(old, from, oldEnd, now, from, newEnd)
                            ? 0
                            : 1;
                }
            }
        }
    }

    /** One line for people. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "disk of %.0f MB, %.1f %% of it zeros; %.1f %% of its blocks of 4 KiB differ in the next version",
                blocks * BLOCK_BYTES / 1e6,
                100.0 * zero / blocks,
                100.0 * changed / blocks);
    }
}
