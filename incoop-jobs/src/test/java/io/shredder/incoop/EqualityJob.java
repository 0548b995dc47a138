// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;

/** The kinds of jobs whose output must not depend on reuse. All of them give the same output in every plain run. */
enum EqualityJob {
    WITH_COMBINER {
        @Override
        void setUp(Job job) {
            wordCount(job);
            job.setCombinerClass(WordCount.IntSumReducer.class);
        }
    },
    WITHOUT_COMBINER {
        @Override
        void setUp(Job job) {
            wordCount(job);
            job.setReducerClass(SortedLengths.class);
            job.setMapperClass(NextWordLength.class);
            job.setMapOutputValueClass(IntWritable.class);
            job.setOutputValueClass(Text.class);
        }
    },
    OLD_API {
        @Override
        void setUp(Job job) {
            JobConf conf = (JobConf) job.getConfiguration();
            conf.setMapperClass(OldApiJobs.WordMapper.class);
            conf.setCombinerClass(OldApiJobs.Sum.class);
            conf.setReducerClass(OldApiJobs.Sum.class);
            conf.setPartitionerClass(OldApiJobs.ByLength.class);
            conf.setOutputKeyClass(Text.class);
            conf.setOutputValueClass(IntWritable.class);
        }
    },
    SECONDARY_SORT {
        @Override
        void setUp(Job job) {
            job.setMapperClass(PairMapper.class);
            job.setReducerClass(OrderedSeconds.class);
            job.setPartitionerClass(ByFirst.class);
            job.setGroupingComparatorClass(FirstOnly.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(Text.class);
            job.setMapOutputValueClass(NullWritable.class);
        }
    },
    OWN_PARTITIONER {
        @Override
        void setUp(Job job) {
            wordCount(job);
            job.setCombinerClass(WordCount.IntSumReducer.class);
            job.setPartitionerClass(LastLetter.class);
            job.setSortComparatorClass(Backwards.class);
            job.getConfiguration().setBoolean("mapreduce.map.output.compress", true);
        }
    };

    abstract void setUp(Job job);

    /** A job of this kind, with neither input nor output yet. */
    Job job(Configuration conf, int reducers) throws IOException {
        Job job = Job.getInstance(conf, name());
        setUp(job);
        job.setNumReduceTasks(reducers);
        return job;
    }

    private static void wordCount(Job job) {
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
    }

    /** Of each word, the length of the one behind it in its line. */
    public static class NextWordLength extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            StringTokenizer words = new StringTokenizer(line.toString());
            String last = "";
            while (words.hasMoreTokens()) {
                String word = words.nextToken();
                context.write(new Text(last), new IntWritable(word.length()));
                last = word;
            }
        }
    }

    /** All values of a key, in order. */
    public static class SortedLengths extends Reducer<Text, IntWritable, Text, Text> {
        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            List<Integer> sorted = new ArrayList<>();
            values.forEach(value -> sorted.add(value.get()));
            sorted.sort(null);
            context.write(key, new Text(sorted.toString()));
        }
    }

    /** Pairs of neighbours, as one key. */
    public static class PairMapper extends Mapper<LongWritable, Text, Text, NullWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            StringTokenizer words = new StringTokenizer(line.toString());
            String last = "-";
            while (words.hasMoreTokens()) {
                String word = words.nextToken();
                context.write(new Text(last + " " + word), NullWritable.get());
                last = word;
            }
        }
    }

    private static String first(Text pair) {
        String text = pair.toString();
        return text.substring(0, text.indexOf(' '));
    }

    /** By the first of a pair. */
    public static class ByFirst extends Partitioner<Text, NullWritable> {
        @Override
        public int getPartition(Text key, NullWritable value, int partitions) {
            return Math.floorMod(first(key).hashCode(), partitions);
        }
    }

    /** Groups pairs by their first. */
    public static class FirstOnly extends WritableComparator {
        public FirstOnly() {
            super(Text.class, true);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public int compare(WritableComparable one, WritableComparable other) {
            return first((Text) one).compareTo(first((Text) other));
        }
    }

    /** The seconds of all pairs with one first, in the order in which they come. */
    public static class OrderedSeconds extends Reducer<Text, NullWritable, Text, Text> {
        @Override
        protected void reduce(Text key, Iterable<NullWritable> values, Context context)
                throws IOException, InterruptedException {
            StringBuilder seconds = new StringBuilder();
            String first = first(key);
            for (Iterator<NullWritable> all = values.iterator(); all.hasNext(); ) {
                all.next();
                seconds.append(key.toString().substring(first.length()));
            }
            context.write(new Text(first), new Text(seconds.toString()));
        }
    }

    /** By a word's last letter. */
    public static class LastLetter extends Partitioner<Text, IntWritable> {
        @Override
        public int getPartition(Text key, IntWritable value, int partitions) {
            return key.getBytes()[key.getLength() - 1] % partitions;
        }
    }

    /** Sorts backwards. */
    public static class Backwards extends WritableComparator {
        public Backwards() {
            super(Text.class);
        }

        @Override
        public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
            return compareBytes(b2, s2, l2, b1, s1, l1);
        }
    }
}
