// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.task.MapContextImpl;

/** Maps as people write them, each of which once fooled the reuse of results or broke where a plain run passes. */
final class OddMappers {

    static final Path SIDE = new Path("/side/table");

    private OddMappers() {}

    abstract static class Base extends Mapper<LongWritable, Text, Text, IntWritable> {

        static final IntWritable ONE = new IntWritable(1);

        void count(String word, Context context) throws IOException, InterruptedException {
            context.write(new Text(word), ONE);
        }
    }

    /** Writes each line to a file of its own task, too. */
    public static class SideWriter extends Base {
        private FSDataOutputStream out;

        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            Path file = FileOutputFormat.getPathForWorkFile(context, "lines", ".txt");
            out = file.getFileSystem(context.getConfiguration()).create(file, true);
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            count(line.toString(), context);
        }

        @Override
        protected void cleanup(Context context) throws IOException {
            out.close();
        }
    }

    /** Writes lines to another output. */
    public static class Outputs extends Base {
        private MultipleOutputs<Text, IntWritable> outputs;

        @Override
        protected void setup(Context context) {
            outputs = new MultipleOutputs<>(context);
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            outputs.write("more", line, ONE);
            count(line.toString(), context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            outputs.close();
        }
    }

    /** Keeps a file's first line in a static, read by whoever is first in a JVM. */
    private static final class Table {
        private static String loaded;

        static synchronized String get(Configuration conf) throws IOException {
            if (loaded == null) {
                try (BufferedReader in = new BufferedReader(
                        new InputStreamReader(SIDE.getFileSystem(conf).open(SIDE), StandardCharsets.UTF_8))) {
                    loaded = in.readLine();
                }
            }
            return loaded;
        }
    }

    /** Marks lines with what a table says. */
    public static class StaticTable extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line + Table.get(context.getConfiguration()), context);
        }
    }

    /** Looks at its split as programs do that also know splits of {@code MultipleInputs}. */
    public static class SplitClass extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            boolean known = context.getInputSplit().getClass().equals(FileSplit.class);
            count(line + " " + known, context);
        }
    }

    /** Takes its context apart. */
    public static class ContextOpener extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            try {
                Field inside = context.getClass().getDeclaredField("mapContext");
                inside.setAccessible(true);
                count(line + inside.get(context).getClass().getName(), context);
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }
    }

    /** Asks for the classes of its job by their keys. */
    public static class ClassNames extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            StringBuilder names = new StringBuilder();
            for (String name : new String[] {
                "mapreduce.job.map.class",
                "mapreduce.job.inputformat.class",
                "mapreduce.job.reduce.class",
                "mapreduce.job.outputformat.class",
                "mapreduce.job.reduce.shuffle.consumer.plugin.class",
                "mapreduce.map.output.compress"
            }) {
                names.append(' ').append(context.getConfiguration().get(name));
            }
            count(line.toString().split(" ")[0] + names, context);
        }
    }

    /** Appends what the program that submits the job has put in a static, as works only where both share a process. */
    public static class ToldByStatic extends Base {
        static String told = "";

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line + told, context);
        }
    }

    /** The same in a reducer. */
    public static class ReducerToldByStatic extends Reducer<Text, IntWritable, Text, IntWritable> {
        static String told = "";

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get();
            }
            context.write(new Text(key + told), new IntWritable(sum));
        }
    }

    /** Loads a table when its class is loaded, and groups keys by how many letters the table says. */
    public static class TableGrouping extends WritableComparator {
        private static final int LETTERS = letters();

        /** For Hadoop. */
        public TableGrouping() {
            super(Text.class, true);
        }

        private static int letters() {
            try {
                return Integer.parseInt(Files.readString(java.nio.file.Path.of(System.getProperty("odd.table")))
                        .strip());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        @SuppressWarnings("rawtypes")
        public int compare(WritableComparable one, WritableComparable other) {
            return start(one).compareTo(start(other));
        }

        private static String start(Object key) {
            return key.toString().substring(0, Math.min(LETTERS, key.toString().length()));
        }
    }

    /** Keeps another one. */
    public static class StaticTableReducer extends Reducer<Text, IntWritable, Text, IntWritable> {
        private static String loaded;

        @Override
        protected void setup(Context context) throws IOException {
            synchronized (StaticTableReducer.class) {
                if (loaded == null || context.getConfiguration().getBoolean("forget", false)) {
                    try (BufferedReader in = new BufferedReader(new InputStreamReader(
                            SIDE.getFileSystem(context.getConfiguration()).open(SIDE), StandardCharsets.UTF_8))) {
                        loaded = in.readLine();
                    }
                }
            }
        }

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get();
            }
            context.write(new Text(key + " " + loaded), new IntWritable(sum));
        }
    }

    /** Leaves the first line of the file out. */
    public static class HeaderSkipper extends Base {
        private static final LongWritable ZERO = new LongWritable(0);

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            if (!ZERO.equals(key)) {
                count(line.toString(), context);
            }
        }
    }

    /** Counts its lines, even if there are none. */
    public static class CleanupWriter extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count("lines", context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("lines"), new IntWritable(0));
        }
    }

    /** Carries the offset in a map. */
    public static class OffsetInAMap extends Mapper<LongWritable, Text, Text, MapWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            MapWritable map = new MapWritable();
            map.put(new Text("offset"), key);
            context.write(new Text(line), map);
        }
    }

    /** Prints maps. */
    public static class MapPrinter extends Reducer<Text, MapWritable, Text, Text> {
        @Override
        protected void reduce(Text key, Iterable<MapWritable> values, Context context)
                throws IOException, InterruptedException {
            long sum = 0;
            for (MapWritable value : values) {
                sum += ((LongWritable) value.get(new Text("offset"))).get();
            }
            context.write(key, new Text(Long.toString(sum)));
        }
    }

    /** Uses many counters. */
    public static class ManyCounters extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            for (int i = 0; i < 106; i++) {
                context.getCounter("mine", "counter " + i).increment(1);
            }
            count(line.toString(), context);
        }
    }

    /** Looks behind its context. */
    public static class Caster extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            String committer = context.getOutputCommitter().getClass().getSimpleName();
            count(line + " " + committer, context);
        }
    }

    /** Fails wherever it does not run in a plain map. */
    public static class PlainOnly extends Base {
        @Override
        public void run(Context context) throws IOException, InterruptedException {
            Object inner = ((org.apache.hadoop.mapreduce.lib.map.WrappedMapper<?, ?, ?, ?>.Context) context);
            try {
                var field = inner.getClass().getDeclaredField("mapContext");
                field.setAccessible(true);
                if (field.get(inner).getClass() != MapContextImpl.class) {
                    throw new IllegalStateException("not a plain map");
                }
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
            super.run(context);
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line.toString(), context);
        }
    }

    /** Adds up in a static what it gives out in the end. */
    public static class StaticSums extends Base {
        private static final Map<String, Integer> SUMS = new HashMap<>();

        @Override
        protected void map(LongWritable key, Text line, Context context) {
            SUMS.merge(line.toString(), 1, Integer::sum);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (Map.Entry<String, Integer> sum : SUMS.entrySet()) {
                context.write(new Text(sum.getKey()), new IntWritable(sum.getValue()));
            }
            if (context.getConfiguration().getBoolean("forget", false)) {
                SUMS.clear();
            }
        }
    }

    /** Takes its words from a class that it loads by itself. */
    public static class PlugInUser extends Base {
        private String suffix;

        @Override
        protected void setup(Context context) throws IOException {
            URL[] place = {new URL("file:" + context.getConfiguration().get("plug") + "/")};
            try (URLClassLoader loader =
                    new URLClassLoader(place, Thread.currentThread().getContextClassLoader())) {
                suffix = (String) loader.loadClass("Plug").getMethod("text").invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line + suffix, context);
        }
    }

    /** Writes sums to another output, too. */
    public static class OutputsReducer extends Reducer<Text, IntWritable, Text, IntWritable> {
        private MultipleOutputs<Text, IntWritable> outputs;

        @Override
        protected void setup(Context context) {
            outputs = new MultipleOutputs<>(context);
        }

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get();
            }
            outputs.write("more", key, new IntWritable(sum));
            context.write(key, new IntWritable(sum));
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            outputs.close();
        }
    }

    /** Reads a local file in a thread of its own. */
    public static class LocalReader extends Base {
        private String suffix;

        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            File file = new File(context.getConfiguration().get("side"));
            ExecutorService threads = Executors.newSingleThreadExecutor();
            try {
                suffix = threads.submit(() -> Files.readString(file.toPath())).get();
            } catch (ExecutionException e) {
                throw new IOException(e);
            } finally {
                threads.shutdown();
            }
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line + suffix, context);
        }
    }

    /** Has a process read a file. */
    public static class ProcessReader extends Base {
        @Override
        protected void setup(Context context) throws IOException {
            try {
                new ProcessBuilder("cat", "/etc/hostname").start().waitFor();
            } catch (InterruptedException e) {
                throw new UncheckedIOException(new IOException(e));
            }
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line.toString(), context);
        }
    }

    /** Marks lines with an option that a default file of Hadoop names. */
    public static class OptionReader extends Base {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line + context.getConfiguration().get("mapreduce.task.timeout"), context);
        }
    }
}
