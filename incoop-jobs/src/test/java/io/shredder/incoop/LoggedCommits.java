// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/** A job whose tasks put something out for good, as into a database, and one of whose reducers fails once. */
final class LoggedCommits {

    /** Holds a file for each task that was committed. */
    static final Path FOLDER = new Path("/side/commits");

    private static final Path FAILED = new Path("/side/failed");

    private LoggedCommits() {}

    /** Fails in the second partition, the first time. */
    public static class FailsOnce extends IntSumReducer<Text> {
        @Override
        protected void setup(Context context) throws IOException {
            FileSystem fs = FAILED.getFileSystem(context.getConfiguration());
            if (context.getTaskAttemptID().getTaskID().getId() == 1 && fs.createNewFile(FAILED)) {
                throw new IOException("this once");
            }
        }
    }

    /** Leaves a file for each commit, and writes nothing else. */
    public static class Format extends OutputFormat<Text, IntWritable> {
        @Override
        public RecordWriter<Text, IntWritable> getRecordWriter(TaskAttemptContext context) {
            return new RecordWriter<>() {
                @Override
                public void write(Text key, IntWritable value) {
                    // Nobody looks at them.
                }

                @Override
                public void close(TaskAttemptContext task) {
                    // Holds nothing.
                }
            };
        }

        @Override
        public void checkOutputSpecs(JobContext context) {
            // Anything goes.
        }

        @Override
        public OutputCommitter getOutputCommitter(TaskAttemptContext context) {
            return new Committer();
        }
    }

    private static final class Committer extends OutputCommitter {
        @Override
        public void setupJob(JobContext job) {
            // Needs no folder.
        }

        @Override
        public void setupTask(TaskAttemptContext task) {
            // Needs none either.
        }

        @Override
        public boolean needsTaskCommit(TaskAttemptContext task) {
            return task.getTaskAttemptID().getTaskType() == TaskType.REDUCE;
        }

        @Override
        public void commitTask(TaskAttemptContext task) throws IOException {
            Configuration conf = task.getConfiguration();
            Path file = new Path(FOLDER, task.getTaskAttemptID().toString());
            file.getFileSystem(conf).create(file).close();
        }

        @Override
        public void abortTask(TaskAttemptContext task) {
            // What is out is out.
        }
    }
}
