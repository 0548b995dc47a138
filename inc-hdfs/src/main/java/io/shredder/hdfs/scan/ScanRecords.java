// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;

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
    }

    /**
     * What became of a file.
     *
     * @param chunks how many it has
     * @param written whether it has a manifest now
     * @param failure why not, or why it could not be scanned; empty if neither
     */
    record Outcome(ScannedFile file, long chunks, boolean written, String failure) {}

    @FunctionalInterface
    private interface Writing {
        void to(DataOutput out) throws IOException;
    }

    private static BytesWritable bytes(Writing writing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writing.to(new DataOutputStream(bytes));
        return new BytesWritable(bytes.toByteArray());
    }

    private static DataInput in(BytesWritable bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes.getBytes(), 0, bytes.getLength()));
    }

    static BytesWritable of(ScannedFile file) throws IOException {
        return bytes(file::write);
    }

    static ScannedFile file(BytesWritable bytes) throws IOException {
        return ScannedFile.read(in(bytes));
    }

    static BytesWritable of(PartResult part) throws IOException {
        return bytes(out -> {
            out.writeUTF(part.failure());
            part.chunks().write(out);
        });
    }

    static PartResult part(BytesWritable bytes) throws IOException {
        DataInput in = in(bytes);
        String failure = in.readUTF();
        return new PartResult(RangeChunks.read(in), failure);
    }

    static BytesWritable of(Sharing sharing) throws IOException {
        return bytes(sharing::write);
    }

    static Sharing sharing(BytesWritable bytes) throws IOException {
        return Sharing.read(in(bytes));
    }

    /** A chunk's length and the group of its file, as one number. */
    static long place(int length, int group) {
        return (long) group << Integer.SIZE | length;
    }

    static int length(long place) {
        return (int) place;
    }

    static int group(long place) {
        return (int) (place >> Integer.SIZE);
    }

    static BytesWritable of(Outcome outcome) throws IOException {
        return bytes(out -> {
            outcome.file().write(out);
            out.writeLong(outcome.chunks());
            out.writeBoolean(outcome.written());
            out.writeUTF(outcome.failure());
        });
    }

    static Outcome outcome(BytesWritable bytes) throws IOException {
        DataInput in = in(bytes);
        return new Outcome(ScannedFile.read(in), in.readLong(), in.readBoolean(), in.readUTF());
    }

    /** Reads one of them. */
    @FunctionalInterface
    interface Reading<T> {
        T of(BytesWritable bytes) throws IOException;
    }

    /** All that the reduces of a job wrote to its output folder. */
    static <T> List<T> readAll(Path folder, Reading<T> reading, Configuration conf) throws IOException {
        List<T> all = new ArrayList<>();
        for (FileStatus file : folder.getFileSystem(conf).globStatus(new Path(folder, "part-*"))) {
            try (SequenceFile.Reader reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file.getPath()))) {
                BytesWritable value = new BytesWritable();
                while (reader.next(NullWritable.get(), value)) {
                    all.add(reading.of(value));
                }
            }
        }
        return all;
    }
}
