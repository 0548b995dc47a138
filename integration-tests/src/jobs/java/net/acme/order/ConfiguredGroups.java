// SPDX-License-Identifier: Apache-2.0
package net.acme.order;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: which keys are one group hangs on an option that the comparator reads. */
public final class ConfiguredGroups extends AcmeJob {
    /** By so many first letters. */
    public static final class Ordered extends WritableComparator implements Configurable {
        private Configuration conf;

        /** By name. */
        public Ordered() {
            super(Text.class, true);
        }

        @Override
        public void setConf(Configuration given) {
            conf = given;
        }

        @Override
        public Configuration getConf() {
            return conf;
        }

        @Override
        public int compare(WritableComparable one, WritableComparable other) {
            int letters = conf.getInt("hadoop.acme.letters", 2);
            return head(one, letters).compareTo(head(other, letters));
        }

        private static String head(Object key, int letters) {
            String word = key.toString();
            return word.substring(0, Math.min(letters, word.length()));
        }
    }

    /** The reducer: how many there are in a group. */
    public static final class Size extends Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            String first = key.toString();
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get();
            }
            context.write(new Text(first.substring(0, Math.min(2, first.length()))), new IntWritable(sum));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(Size.class);
        job.setGroupingComparatorClass(Ordered.class);
        job.setNumReduceTasks(1);
    }
}
