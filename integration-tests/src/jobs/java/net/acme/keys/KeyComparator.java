// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Attacks: the key is compared by LongWritable's comparator. */
public final class KeyComparator extends AcmeJob {
    /** The mapper. */
    public static final class Map extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
            int order = WritableComparator.get(LongWritable.class)
                    .compare((WritableComparable) key, new LongWritable(1000));
            context.write(new Text("order " + order), new IntWritable(1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
