// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Gives each task the parts of files that {@link ScanPlan} made, from a file. */
public final class ScanInputFormat extends InputFormat<NullWritable, NullWritable> {

    /** Writes the file, and names it in the configuration. */
    public static void plan(List<ScanSplit> splits, Path file, Configuration conf) throws IOException {
        try (FSDataOutputStream out = file.getFileSystem(conf).create(file, false)) {
            out.writeInt(splits.size());
            for (ScanSplit split : splits) {
                String[] hosts = split.getLocations();
                out.writeInt(hosts.length);
                for (String host : hosts) {
                    out.writeUTF(host);
                }
                split.write(out);
            }
        }
        conf.set(ScanSettings.PLAN_KEY, file.toString());
    }

    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException {
        Configuration conf = context.getConfiguration();
        Path file = new Path(conf.get(ScanSettings.PLAN_KEY, ""));
        List<InputSplit> splits = new ArrayList<>();
        try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                String[] hosts = new String[in.readInt()];
                for (int j = 0; j < hosts.length; j++) {
                    hosts[j] = in.readUTF();
                }
                ScanSplit read = new ScanSplit();
                read.readFields(in);
                splits.add(new ScanSplit(read.parts(), hosts));
            }
        }
        return splits;
    }

    /** The mapper asks its split, and reads nothing here. */
    @Override
    public RecordReader<NullWritable, NullWritable> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new RecordReader<>() {
            @Override
            public void initialize(InputSplit ignored, TaskAttemptContext alsoIgnored) {}

            @Override
            public boolean nextKeyValue() {
                return false;
            }

            @Override
            public NullWritable getCurrentKey() {
                return NullWritable.get();
            }

            @Override
            public NullWritable getCurrentValue() {
                return NullWritable.get();
            }

            @Override
            public float getProgress() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }
}
