// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;

/** Attacks: Hadoop's inverse mapper passes offsets on as values. */
public final class OffsetsInverted extends AcmeJob {
    /** The reducer: the last offset of each line. */
    public static final class Last extends Reducer<Text, LongWritable, Text, LongWritable> {
        @Override
        protected void reduce(Text key, Iterable<LongWritable> values, Context context)
                throws IOException, InterruptedException {
            long last = 0;
            for (LongWritable value : values) {
                last = Math.max(last, value.get());
            }
            context.write(key, new LongWritable(last));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(InverseMapper.class);
        job.setReducerClass(Last.class);
        job.setOutputValueClass(LongWritable.class);
    }
}
