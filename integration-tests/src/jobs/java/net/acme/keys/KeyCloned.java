// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Attacks: the key is cloned by WritableUtils. */
public final class KeyCloned extends AcmeJob {
    /** The mapper. */
    public static final class Map extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
            context.write(
                    new Text("at "
                            + WritableUtils.clone(key, context.getConfiguration())
                                            .get()
                                    % 50),
                    new IntWritable(1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
