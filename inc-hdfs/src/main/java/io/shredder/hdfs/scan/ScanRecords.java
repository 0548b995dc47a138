// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.hdfs.scan.plan.ScannedFile;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** What goes from maps to reduces, and from these to the command. */
final class ScanRecords {

    private ScanRecords() {}

    /**
     * A part of a file, or why it could not be read.
     *
     * @param failure empty if it could be
     */
    record PartResult(RangeChunks chunks, String failure) {

        static PartResult failed(long start, String failure) {
            return new PartResult(new RangeChunks(start, start, List.of()), failure);
        }

        /** Writes it as {@link #read} reads it. */
        void write(DataOutput out) throws IOException {
            out.writeUTF(failure);
            chunks.write(out);
        }

        static PartResult read(DataInput in) throws IOException {
            String failure = in.readUTF();
            return new PartResult(RangeChunks.read(in), failure);
        }
    }

    /**
     * What became of a file.
     *
     * @param chunks how many it has
     * @param written whether it has a manifest now
     * @param failure why not, or why it could not be scanned; empty if neither
     */
    record Outcome(ScannedFile file, long chunks, boolean written, String failure) {

        /** Writes it as {@link #read} reads it. */
        void write(DataOutput out) throws IOException {
            file.write(out);
            out.writeLong(chunks);
            out.writeBoolean(written);
            out.writeUTF(failure);
        }

        static Outcome read(DataInput in) throws IOException {
            return new Outcome(ScannedFile.read(in), in.readLong(), in.readBoolean(), in.readUTF());
        }
    }
}
