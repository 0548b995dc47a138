// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Points of two ints each, as text. */
public final class PointInputFormat extends FileInputFormat<NullWritable, Text> {

    /** Length of a point in the file. */
    public static final int POINT_BYTES = 8;

    @Override
    public RecordReader<NullWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new Points();
    }

    private static final class Points extends RecordReader<NullWritable, Text> {

        private FSDataInputStream in;
        private long end;
        private final Text point = new Text();

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
            FileSplit part = (FileSplit) split;
            long first = (part.getStart() + POINT_BYTES - 1) / POINT_BYTES * POINT_BYTES;
            end = part.getStart() + part.getLength();
            in = part.getPath().getFileSystem(context.getConfiguration()).open(part.getPath());
            in.seek(first);
        }

        @Override
        public boolean nextKeyValue() throws IOException {
            if (in.getPos() >= end) {
                return false;
            }
            point.set("x" + in.readInt() + " y" + in.readInt());
            return true;
        }

        @Override
        public NullWritable getCurrentKey() {
            return NullWritable.get();
        }

        @Override
        public Text getCurrentValue() {
            return point;
        }

        @Override
        public float getProgress() {
            return 0;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
