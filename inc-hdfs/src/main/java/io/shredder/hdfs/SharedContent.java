// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much of one file is in another already. A segment counts as shared if the other file has a segment of exactly the
 * same chunks.
 */
record SharedContent(Counts chunks, Counts segments) {

    /** Of a file's pieces, how many and how many bytes there are, and how many of both the other file has. */
    record Counts(long shared, long total, long sharedBytes, long totalBytes) {

        double sharedPercent() {
            return totalBytes == 0 ? 100 : 100.0 * sharedBytes / totalBytes;
        }
    }

    /** What {@code later} shares with {@code earlier}. */
    static SharedContent of(Manifest earlier, Manifest later) {
        return new SharedContent(
                count(pieces(earlier, false), pieces(later, false)), count(pieces(earlier, true), pieces(later, true)));
    }

    private record Piece(List<Fingerprint> content, long bytes) {}

    /** The file's chunks, each a piece, or its segments. */
    private static List<Piece> pieces(Manifest manifest, boolean segments) {
        List<Piece> pieces = new ArrayList<>();
        List<Fingerprint> content = new ArrayList<>();
        long bytes = 0;
        for (Chunk chunk : manifest.chunks()) {
            content.add(chunk.fingerprint());
            bytes += chunk.length();
            if (!segments || chunk.segmentEnd()) {
                pieces.add(new Piece(List.copyOf(content), bytes));
                content.clear();
                bytes = 0;
            }
        }
        return pieces;
    }

    private static Counts count(List<Piece> earlier, List<Piece> later) {
        Set<Piece> known = new HashSet<>(earlier);
        long shared = 0;
        long sharedBytes = 0;
        long totalBytes = 0;
        for (Piece piece : later) {
            totalBytes += piece.bytes();
            if (known.contains(piece)) {
                shared++;
                sharedBytes += piece.bytes();
            }
        }
        return new Counts(shared, later.size(), sharedBytes, totalBytes);
    }
}
