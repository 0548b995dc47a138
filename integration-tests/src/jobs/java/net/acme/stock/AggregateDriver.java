// SPDX-License-Identifier: Apache-2.0
package net.acme.stock;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.examples.AggregateWordCount;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorDescriptor;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorJob;
import org.apache.hadoop.util.Tool;

/** Sets up a job of Hadoop's aggregate framework as its example's program does, which would end the process. */
abstract class AggregateDriver extends Configured implements Tool {

    private static final String PREFIX = "mapreduce.aggregate.";

    private static final int REDUCERS = 2;

    /** What aggregates. */
    abstract Class<? extends ValueAggregatorDescriptor> descriptor();

    @Override
    public final int run(String[] words) throws Exception {
        Configuration conf = getConf();
        Class<ValueAggregatorDescriptor>[] descriptors = new Class[] {descriptor()};
        ValueAggregatorJob.setAggregatorDescriptors(descriptors)
                .getPropsWithPrefix(PREFIX)
                .forEach((key, value) -> conf.set(PREFIX + key, value));
        List<String> all = List.of(words[0], words[1], String.valueOf(REDUCERS), "textinputformat");
        Job job = ValueAggregatorJob.createValueAggregatorJob(conf, all.toArray(new String[0]));
        job.setJarByClass(AggregateWordCount.class);
        return job.waitForCompletion(true) ? 0 : 1;
    }
}
