// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Attacks: the output format has a committer of its own, which adds a file when the job is committed. */
public final class OwnCommitter extends AcmeJob {
    /** The format. */
    public static final class Summed extends TextOutputFormat<Text, IntWritable> {
        @Override
        public OutputCommitter getOutputCommitter(TaskAttemptContext context) throws IOException {
            return new Committer(getOutputPath(context), context);
        }
    }

    /** Writes how many part files there are. */
    public static final class Committer extends FileOutputCommitter {
        private final Path folder;

        Committer(Path folder, TaskAttemptContext context) throws IOException {
            super(folder, context);
            this.folder = folder;
        }

        @Override
        public void commitJob(JobContext context) throws IOException {
            super.commitJob(context);
            FileSystem fs = folder.getFileSystem(context.getConfiguration());
            try (OutputStream out = fs.create(new Path(folder, "summary"))) {
                int parts = fs.globStatus(new Path(folder, "part-*")).length;
                out.write((parts + " parts\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setOutputFormatClass(Summed.class);
    }
}
