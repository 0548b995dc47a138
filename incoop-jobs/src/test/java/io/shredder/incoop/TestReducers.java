// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;

/** Word count with reducers that a part file can't always stand for, and a mapper that lets a test in between. */
final class TestReducers {

    /** Runs once, in a map of a job. */
    interface Hook {
        void run() throws IOException;
    }

    private static final String HOOK = TestReducers.class.getName() + ".hook";

    /** Has something done once, when the next job's first map begins. */
    static void beforeTheFirstMap(Hook hook) {
        Runnable run = () -> {
            try {
                hook.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        System.getProperties().put(HOOK, run);
    }

    private TestReducers() {}

    static final class Doubling extends WordCount.IntSumReducer {

        @Override
        public void reduce(Text word, Iterable<IntWritable> counts, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable count : counts) {
                sum += count.get();
            }
            context.write(word, new IntWritable(2 * sum));
        }
    }

    static final class AskingForTask extends WordCount.IntSumReducer {

        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            context.write(new Text(context.getTaskAttemptID().toString()), new IntWritable(0));
        }
    }

    static final class SideFile extends WordCount.IntSumReducer {

        @Override
        protected void setup(Context context) throws IOException {
            Path folder = ((FileOutputCommitter) context.getOutputCommitter()).getWorkPath();
            Path file =
                    new Path(folder, "part-side-" + context.getTaskAttemptID().getTaskID());
            try (FSDataOutputStream out =
                    file.getFileSystem(context.getConfiguration()).create(file)) {
                out.write(1);
            }
        }
    }

    static final class HookedMapper extends WordCount.TokenizerMapper {

        @Override
        protected void setup(Context context) throws IOException {
            Object hook = System.getProperties().remove(HOOK);
            if (hook != null) {
                // By another thread: it is not the job that does it.
                CompletableFuture.runAsync((Runnable) hook).join();
            }
        }
    }
}
