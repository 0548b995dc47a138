// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.scan.RangeChunks.Piece;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Makes the chunks of a file of those of its parts. A part whose beginning is no cut is right from the first cut on
 * that is one of the file's; what is between is cut here, mostly a chunk or two. For one thread.
 */
final class RangeMerge {

    /** Cuts what is between; opened only if something is. */
    @FunctionalInterface
    interface Between {
        RangeChunks chunk(long start, long end) throws IOException;
    }

    private final long length;
    private final Between between;
    private final long step;
    private final Manifest.Builder manifest;
    private List<Long> cuts = List.of();
    private long cutBetween;

    /**
     * @param length of the file
     * @param step so much is cut at a time where parts don't meet
     */
    RangeMerge(long length, Between between, long step, Manifest.Builder manifest) {
        this.length = length;
        this.between = between;
        this.step = step;
        this.manifest = manifest;
    }

    /**
     * Adds all chunks of the file to the manifest, as one segment.
     *
     * @param parts one behind the other, from the file's beginning on
     */
    void merge(List<RangeChunks> parts) throws IOException {
        for (RangeChunks part : parts) {
            if (manifest.length() == length) {
                return;
            }
            if (part.start() == 0) {
                adopt(part, 0);
            } else {
                join(part);
            }
        }
        while (manifest.length() < length) {
            cutOn();
        }
    }

    /** How many bytes belong to chunks that were cut here. */
    long cutBetween() {
        return cutBetween;
    }

    private void adopt(RangeChunks part, int from) throws IOException {
        for (Piece piece : part.pieces().subList(from, part.pieces().size())) {
            add(piece);
        }
    }

    private void add(Piece piece) throws IOException {
        long offset = manifest.length();
        long end = offset + piece.length();
        if (end > length) {
            throw new IOException(
                    "a chunk ends at " + end + " of " + length + " bytes: the file was changed meanwhile");
        }
        manifest.add(new Chunk(offset, piece.length(), piece.fingerprint(), end == length));
        cuts = piece.cuts();
    }

    /** Cuts on until the part has the cut, too, or has nothing behind it. */
    private void join(RangeChunks part) throws IOException {
        Map<Long, Integer> ends = new HashMap<>(); // By cut, the piece behind it.
        ends.put(part.start(), 0);
        for (int i = 0; i < part.pieces().size(); i++) {
            for (long cut : part.pieces().get(i).cuts()) {
                ends.put(cut, i + 1);
            }
        }
        while (manifest.length() < length) {
            OptionalInt behind =
                    cuts.stream().filter(ends::containsKey).mapToInt(ends::get).findFirst();
            if (behind.isPresent()) {
                adopt(part, behind.getAsInt());
                return;
            }
            if (manifest.length() >= part.end()) {
                return;
            }
            cutUntil(ends);
        }
    }

    private void cutUntil(Map<Long, Integer> ends) throws IOException {
        for (Piece piece : cutFrom().pieces()) {
            add(piece);
            cutBetween += piece.length();
            if (piece.cuts().stream().anyMatch(ends::containsKey)) {
                return;
            }
        }
    }

    private void cutOn() throws IOException {
        for (Piece piece : cutFrom().pieces()) {
            add(piece);
            cutBetween += piece.length();
        }
    }

    private RangeChunks cutFrom() throws IOException {
        long start = cuts.get(cuts.size() - 1);
        long end = Math.max(start + step, manifest.length() + 1); // So that one chunk at least begins before.
        RangeChunks found = between.chunk(start, Math.min(length, end));
        if (found.firstEnd() != manifest.length() || found.pieces().isEmpty()) {
            throw new IOException("behind the cut at " + start + " records end at " + found.firstEnd() + ", and not at "
                    + manifest.length() + ": the file was changed meanwhile");
        }
        return found;
    }
}
