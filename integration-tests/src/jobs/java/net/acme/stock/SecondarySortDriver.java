// SPDX-License-Identifier: Apache-2.0
package net.acme.stock;

import java.io.IOException;
import org.apache.hadoop.examples.SecondarySort;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/** The stock secondary sort. */
public final class SecondarySortDriver extends ExampleDriver {
    @Override
    Job job() throws IOException {
        Job job = Job.getInstance(getConf(), "secondary sort");
        job.setJarByClass(SecondarySort.class);
        job.setMapperClass(SecondarySort.MapClass.class);
        job.setReducerClass(SecondarySort.Reduce.class);
        job.setPartitionerClass(SecondarySort.FirstPartitioner.class);
        job.setGroupingComparatorClass(SecondarySort.FirstGroupingComparator.class);
        job.setMapOutputKeyClass(SecondarySort.IntPair.class);
        job.setMapOutputValueClass(IntWritable.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        return job;
    }
}
