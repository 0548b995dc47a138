// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.FileWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Mappers over several inputs, some of which make trouble at single lines. */
final class InputMappers {

    private InputMappers() {}

    /** Gives lines out with a mark, and asks for its task at the line {@code task}. */
    public static class Marking extends Mapper<LongWritable, Text, Text, IntWritable> {

        String mark() {
            return "";
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            String text = line.toString();
            if (text.equals("task")) {
                text = "task " + context.getTaskAttemptID().getTaskID().getId();
            } else if (text.equals("partition")) {
                text = "partition " + context.getConfiguration().get("mapreduce.task.partition");
            } else if (text.startsWith("append ")) {
                append(text.substring("append ".length()));
            } else if (text.startsWith("thread ")) {
                inThread(text.substring("thread ".length()));
            } else if (text.equals("offset")) {
                text = "offset " + key.get();
            } else if (text.equals("option")) {
                text = "option " + context.getConfiguration().get("textinputformat.record.delimiter");
            }
            context.write(new Text(mark() + text), new IntWritable(1));
        }

        private static void append(String file) throws IOException {
            try (Writer out = new FileWriter(file, StandardCharsets.UTF_8, true)) {
                out.write('x');
            }
        }

        private static void inThread(String file) throws InterruptedException {
            Thread thread = new Thread(() -> {
                try {
                    append(file);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.setUncaughtExceptionHandler((dying, failure) -> {});
            thread.start();
            thread.join();
        }
    }

    /** The same with a mark. */
    public static class Left extends Marking {
        @Override
        String mark() {
            return "left ";
        }
    }

    /** The same with another one. */
    public static class Right extends Marking {
        @Override
        String mark() {
            return "right ";
        }
    }

    /** Counts keys of lines. */
    public static class Keys extends Mapper<Text, Text, Text, IntWritable> {
        @Override
        protected void map(Text key, Text value, Context context) throws IOException, InterruptedException {
            context.write(new Text("key " + key), new IntWritable(value.getLength()));
        }
    }

    /** Hands its task's id on to the mapper. */
    public static class TellingItsTask extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            context.getConfiguration().set("told.task", String.valueOf(context.getTaskAttemptID()));
            return super.createRecordReader(split, context);
        }
    }

    /** Tells of which class its split is. */
    public static class SplitKind extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.write(new Text("split " + context.getInputSplit().getClass().getName()), new IntWritable(1));
        }
    }

    /** Of the old API. */
    public static class OldLeft extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, Text, IntWritable> {

        private int lines;
        private OutputCollector<Text, IntWritable> last;

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            lines++;
            last = output;
            output.collect(new Text("left " + line), new IntWritable(1));
        }

        /** Whatever the splits, the sum of all closes is the same. */
        @Override
        public void close() throws IOException {
            if (last != null) {
                last.collect(new Text("lines"), new IntWritable(lines));
            }
        }
    }

    /** Of the old API. */
    public static class OldRight extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<Text, Text, Text, IntWritable> {
        @Override
        public void map(Text key, Text value, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            output.collect(new Text("right " + key), new IntWritable(value.getLength()));
        }
    }
}
