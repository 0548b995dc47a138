// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Attacks: the mapper reads its records by itself, two at a time. */
public final class RunOverridden extends AcmeJob {
    /** The mapper. */
    public static final class Map extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        public void run(Context context) throws IOException, InterruptedException {
            setup(context);
            while (context.nextKeyValue()) {
                context.write(new Text(context.getCurrentValue()), new IntWritable(1));
                if (context.nextKeyValue()) {
                    context.write(new Text(context.getCurrentValue()), new IntWritable(1));
                }
            }
            cleanup(context);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
