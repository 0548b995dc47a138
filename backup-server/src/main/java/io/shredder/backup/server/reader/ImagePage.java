// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.server.snapshot.RegionBounds;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of a snapshot's list, opened, cut into stretches. A long run of one chunk stays one entry, so a page takes
 * memory by its entries, whatever it stands for.
 */
final class ImagePage {

    /** A stretch has no more, even if they are short parts of long chunks. */
    private static final int MOST_POINTERS = 256;

    private final long start;
    private final long end;
    private final long[] starts;
    private final List<Piece> pieces;
    private final long pointerCount;

    /** A stretch that comes so many times in a row. */
    private record Piece(List<Pointer> pointers, long unitBytes, long count) {}

    private ImagePage(long start, long end, List<Piece> pieces, long pointerCount) {
        this.start = start;
        this.end = end;
        this.pieces = pieces;
        this.pointerCount = pointerCount;
        this.starts = new long[pieces.size()];
        long at = start;
        for (int i = 0; i < starts.length; i++) {
            starts[i] = at;
            at += pieces.get(i).unitBytes() * pieces.get(i).count();
        }
    }

    /**
     * Cuts a page.
     *
     * @param start where in the image it begins
     * @param zeros the chunk that long runs of zeros are cut into
     */
    static ImagePage of(long start, List<PointerRun> entries, ChunkRef zeros) {
        Cutter cutter = new Cutter(zeros);
        entries.forEach(cutter::add);
        cutter.endStretch();
        cutter.endHole();
        return new ImagePage(start, start + cutter.bytes, List.copyOf(cutter.pieces), cutter.pointers);
    }

    /** Gathers what regions are likely to have together. */
    private static final class Cutter {
        private final ChunkRef zeros;
        private final List<Piece> pieces = new ArrayList<>();
        private final List<Pointer> open = new ArrayList<>();
        private long openBytes;
        private long openChunkBytes;
        private long hole;
        private long bytes;
        private long pointers;

        Cutter(ChunkRef zeros) {
            this.zeros = zeros;
        }

        void add(PointerRun run) {
            bytes += run.bytes();
            pointers += run.count();
            Pointer pointer = run.pointer();
            if (pointer.chunk().equals(zeros)) {
                endStretch();
                hole += run.bytes();
                return;
            }
            endHole();
            if (run.count() > 1) {
                endStretch();
                pieces.add(new Piece(List.of(pointer), pointer.length(), run.count()));
                return;
            }
            int chunkBytes = pointer.chunk().length();
            if (openChunkBytes + chunkBytes > RegionBounds.MAX_BYTES || open.size() >= MOST_POINTERS) {
                endStretch();
            }
            open.add(pointer);
            openBytes += pointer.length();
            openChunkBytes += chunkBytes;
            if (RegionBounds.endBehind(pointer.chunk())) {
                endStretch();
            }
        }

        void endStretch() {
            if (!open.isEmpty()) {
                pieces.add(new Piece(List.copyOf(open), openBytes, 1));
                open.clear();
                openBytes = 0;
                openChunkBytes = 0;
            }
        }

        void endHole() {
            if (hole > 0) {
                pieces.add(new Piece(List.of(), hole, 1));
                hole = 0;
            }
        }
    }

    /** Where in the image it begins. */
    long start() {
        return start;
    }

    /** Where in the image it ends. */
    long end() {
        return end;
    }

    /** How many pointers it stands for. */
    long pointerCount() {
        return pointerCount;
    }

    /** How many entries it takes memory for. */
    int weight() {
        return 1
                + pieces.stream().mapToInt(piece -> 1 + piece.pointers().size()).sum();
    }

    /** The stretch with this byte of the image, which must be on the page. */
    Stretch stretchAt(long offset) {
        int number = pieceAt(offset);
        Piece piece = pieces.get(number);
        long times = (offset - starts[number]) / piece.unitBytes();
        return new Stretch(starts[number] + times * piece.unitBytes(), piece.unitBytes(), piece.pointers());
    }

    /** From this byte of the image, which must be on the page, on: as far as all is a hole, or nothing is, here. */
    ImageExtent extentAt(long offset) {
        int number = pieceAt(offset);
        boolean isHole = pieces.get(number).pointers().isEmpty();
        while (number < starts.length && pieces.get(number).pointers().isEmpty() == isHole) {
            number++;
        }
        long to = number < starts.length ? starts[number] : end;
        return new ImageExtent(offset, to - offset, isHole);
    }

    private int pieceAt(long offset) {
        int found = java.util.Arrays.binarySearch(starts, offset);
        return found >= 0 ? found : -found - 2;
    }
}
