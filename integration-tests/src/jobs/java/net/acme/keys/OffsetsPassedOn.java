// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: Hadoop's identity mapper passes offsets on. */
public final class OffsetsPassedOn extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Mapper.class);
        job.setReducerClass(Reducer.class);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
    }
}
