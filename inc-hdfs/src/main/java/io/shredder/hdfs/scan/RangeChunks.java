// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.Fingerprint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The chunks of a part of a file, as they are if there is a cut where the part begins. Immutable.
 *
 * @param start where that cut is supposed to be
 * @param firstEnd the record end that the cut moves to; what is before it belongs to another part
 * @param pieces the chunks behind it
 */
record RangeChunks(long start, long firstEnd, List<Piece> pieces) {

    /**
     * A chunk.
     *
     * @param length in bytes
     * @param fingerprint of its bytes
     * @param cuts the cuts that moved to its end, in order; none where the file ends
     */
    record Piece(int length, Fingerprint fingerprint, List<Long> cuts) {

        Piece {
            cuts = List.copyOf(cuts);
        }
    }

    RangeChunks {
        pieces = List.copyOf(pieces);
    }

    /** Where the last chunk ends. */
    long end() {
        return firstEnd + pieces.stream().mapToLong(Piece::length).sum();
    }

    /** Writes it as {@link #read} reads it. */
    void write(DataOutput out) throws IOException {
        out.writeLong(start);
        out.writeLong(firstEnd);
        out.writeInt(pieces.size());
        for (Piece piece : pieces) {
            out.writeInt(piece.length());
            byte[] digest = new byte[Fingerprint.BYTES];
            piece.fingerprint().write(ByteBuffer.wrap(digest));
            out.write(digest);
            out.writeInt(piece.cuts().size());
            for (long cut : piece.cuts()) {
                out.writeLong(cut);
            }
        }
    }

    static RangeChunks read(DataInput in) throws IOException {
        long start = in.readLong();
        long firstEnd = in.readLong();
        int count = in.readInt();
        List<Piece> pieces = new ArrayList<>();
        byte[] digest = new byte[Fingerprint.BYTES];
        for (int i = 0; i < count; i++) {
            int length = in.readInt();
            in.readFully(digest);
            Fingerprint fingerprint = Fingerprint.read(ByteBuffer.wrap(digest));
            long[] cuts = new long[in.readInt()];
            for (int j = 0; j < cuts.length; j++) {
                cuts[j] = in.readLong();
            }
            pieces.add(
                    new Piece(length, fingerprint, Arrays.stream(cuts).boxed().toList()));
        }
        return new RangeChunks(start, firstEnd, pieces);
    }
}
