// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Maps that make trouble. */
final class TestMappers {

    private TestMappers() {}

    /** Counts first words by the parity of their offset. */
    public static class KeyReader extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.write(new Text("at " + key.get() % 100), new IntWritable(1));
        }
    }

    enum Mine {
        SETUPS
    }

    /** Counts lines and its own setups. */
    public static class CountingMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void setup(Context context) {
            context.getCounter(Mine.SETUPS).increment(1);
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.getCounter("mine", "lines").increment(1);
            context.write(line, new IntWritable(1));
        }
    }

    /** Fails at a certain line. */
    public static class FailingMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            if (line.toString().equals("boom")) {
                throw new IOException("boom");
            }
            context.write(line, new IntWritable(1));
        }
    }

    /** Counts lines by the name of their file. */
    public static class FileNameMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            String name = ((FileSplit) context.getInputSplit()).getPath().getName();
            context.write(new Text(name), new IntWritable(1));
        }
    }

    /** Counts keys. */
    public static class KeyCount extends Mapper<Text, Text, Text, IntWritable> {
        @Override
        protected void map(Text key, Text value, Context context) throws IOException, InterruptedException {
            context.write(key, new IntWritable(value.getLength()));
        }
    }

    /** Looks words up in a file that it opens by itself. */
    public static class SideReader extends Mapper<LongWritable, Text, Text, IntWritable> {

        static final Path SIDE = new Path("/side/suffix");

        private String suffix = "";

        @Override
        protected void setup(Context context) throws IOException {
            try (FSDataInputStream in =
                    SIDE.getFileSystem(context.getConfiguration()).open(SIDE)) {
                suffix = in.readUTF();
            }
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.write(new Text(line + suffix), new IntWritable(1));
        }
    }

    /** Adds what it finds in a file that it opens by itself. */
    public static class SideReducer extends Reducer<Text, IntWritable, Text, IntWritable> {

        private int more;

        @Override
        protected void setup(Context context) throws IOException {
            try (FSDataInputStream in =
                    SideReader.SIDE.getFileSystem(context.getConfiguration()).open(SideReader.SIDE)) {
                more = in.readUTF().length();
            }
        }

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = more;
            for (IntWritable value : values) {
                sum += value.get();
            }
            context.write(key, new IntWritable(sum));
        }
    }

    /** Copies its configuration and asks the copy for the task. */
    public static class ConfCopier extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            String id = new Configuration(context.getConfiguration()).get("mapreduce.task.attempt.id");
            context.write(new Text(id.isEmpty() ? "" : line.toString()), new IntWritable(1));
        }
    }

    /** Has something happen at the line {@code interrupt}, in the test's own process. */
    public static class InterruptedMapper extends Mapper<LongWritable, Text, Text, IntWritable> {

        /** Where the test leaves what is to happen: this class's statics are new for every chunk. */
        private static final String KEY = InterruptedMapper.class.getName();

        static void interruptWith(Runnable interruption) {
            System.getProperties().put(KEY, interruption);
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            if (line.toString().equals("interrupt")) {
                ((Runnable) System.getProperties().get(KEY)).run();
            }
            context.write(line, new IntWritable(1));
        }
    }
}
