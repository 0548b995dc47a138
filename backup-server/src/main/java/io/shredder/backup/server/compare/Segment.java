// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CachedRun;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.changes.ChangeCheck;
import java.util.ArrayList;
import java.util.List;

/**
 * Some consecutive chunks of the old image that are compared together: about a mebibyte, or one long run of equal
 * chunks.
 *
 * @param offset where the first begins
 * @param runs not empty
 */
record Segment(long offset, List<CachedRun> runs) {

    /** Copies the list. */
    Segment {
        runs = List.copyOf(runs);
    }

    long bytes() {
        long bytes = 0;
        for (CachedRun run : runs) {
            bytes += run.bytes();
        }
        return bytes;
    }

    long end() {
        return offset + bytes();
    }

    /** How many chunks it has. */
    int chunks() {
        return runs.stream().mapToInt(CachedRun::count).sum();
    }

    /**
     * Some of its chunks, one behind the other.
     *
     * @param first the number of the first of them
     */
    record Part(int first, Segment chunks) {}

    /** The chunks that may not be as they were, those that follow each other as one part. */
    List<Part> mayDiffer(ChangeCheck check) {
        if (check.readsAll()) {
            return List.of(new Part(0, this));
        }
        List<Part> parts = new ArrayList<>();
        List<CachedRun> together = new ArrayList<>();
        long at = offset;
        int number = 0;
        for (CachedRun run : runs) {
            for (int copy = 0; copy < run.count(); copy++, number++) {
                int length = run.chunk().length();
                if (check.mayDiffer(at, at + length)) {
                    together.add(new CachedRun(run.chunk(), 1));
                } else {
                    addPart(parts, together, number, at);
                }
                at += length;
            }
        }
        addPart(parts, together, number, at);
        return parts;
    }

    private static void addPart(List<Part> parts, List<CachedRun> together, int behind, long end) {
        if (!together.isEmpty()) {
            long bytes = together.stream().mapToLong(CachedRun::bytes).sum();
            parts.add(new Part(behind - together.size(), new Segment(end - bytes, together)));
            together.clear();
        }
    }

    /** Of each piece of each chunk. */
    int[] pieceLengths() {
        int[] lengths = new int[pieces()];
        int i = 0;
        for (CachedRun run : runs) {
            int[] ofChunk =
                    Pieces.lengths(run.chunk().length(), run.chunk().pieces().first());
            for (int copy = 0; copy < run.count(); copy++) {
                System.arraycopy(ofChunk, 0, lengths, i, ofChunk.length);
                i += ofChunk.length;
            }
        }
        return lengths;
    }

    private int pieces() {
        return runs.stream()
                .mapToInt(run -> run.count() * run.chunk().pieces().tags().count())
                .sum();
    }
}
