// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: Hadoop's identity mapper passes offsets on. Two files have equal offsets, whose lines come in any order. */
public final class OffsetsPassedOn extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Mapper.class);
        job.setReducerClass(InOrder.class);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
    }

    /** Passes on what it gets, the lines of an offset sorted. */
    public static final class InOrder extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void reduce(LongWritable offset, Iterable<Text> lines, Context context)
                throws IOException, InterruptedException {
            List<Text> sorted = new ArrayList<>();
            lines.forEach(line -> sorted.add(new Text(line)));
            sorted.sort(null);
            for (Text line : sorted) {
                context.write(offset, line);
            }
        }
    }
}
