// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

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

/** Values as the bytes that go from maps to reduces, and from these to the command. */
public final class TaskRecords {

    private TaskRecords() {}

    /** Writes a value. */
    @FunctionalInterface
    public interface Writing {
        void to(DataOutput out) throws IOException;
    }

    /** Reads one of them. */
    @FunctionalInterface
    public interface Reading<T> {
        T from(DataInput in) throws IOException;
    }

    /** The bytes that a value writes. */
    public static BytesWritable of(Writing writing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writing.to(new DataOutputStream(bytes));
        return new BytesWritable(bytes.toByteArray());
    }

    /** The value that wrote these bytes. */
    public static <T> T read(BytesWritable bytes, Reading<T> reading) throws IOException {
        return reading.from(new DataInputStream(new ByteArrayInputStream(bytes.getBytes(), 0, bytes.getLength())));
    }

    /** Gets one value after the other; its bytes are the next one's, too. */
    @FunctionalInterface
    public interface Taking {
        void value(BytesWritable bytes) throws IOException;
    }

    /** All that the reduces of a job wrote to a folder; none if there is no folder. */
    public static <T> List<T> readAll(Path folder, Reading<T> reading, Configuration conf) throws IOException {
        List<T> all = new ArrayList<>();
        forEach(folder, value -> all.add(read(value, reading)), conf);
        return all;
    }

    /** The same, one by one. */
    public static void forEach(Path folder, Taking taking, Configuration conf) throws IOException {
        for (FileStatus file : folder.getFileSystem(conf).globStatus(new Path(folder, "part-*"))) {
            try (SequenceFile.Reader reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file.getPath()))) {
                BytesWritable value = new BytesWritable();
                while (reader.next(NullWritable.get(), value)) {
                    taking.value(value);
                }
            }
        }
    }
}
