// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Attacks: the output format writes in a way of its own, with a line at the end. */
public final class OwnOutputFormat extends AcmeJob {
    /** The format. */
    public static final class Framed extends FileOutputFormat<Text, IntWritable> {
        @Override
        public RecordWriter<Text, IntWritable> getRecordWriter(TaskAttemptContext context) throws IOException {
            Path path = getDefaultWorkFile(context, ".framed");
            OutputStream out = path.getFileSystem(context.getConfiguration()).create(path);
            return new RecordWriter<>() {
                private int records;

                @Override
                public void write(Text key, IntWritable value) throws IOException {
                    records++;
                    out.write((key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8));
                }

                @Override
                public void close(TaskAttemptContext end) throws IOException {
                    out.write((records + " records\n").getBytes(StandardCharsets.UTF_8));
                    out.close();
                }
            };
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setOutputFormatClass(Framed.class);
    }
}
