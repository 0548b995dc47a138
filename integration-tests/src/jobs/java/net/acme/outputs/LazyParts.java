// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Attacks: a reduce task without output makes no part file. */
public final class LazyParts extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setCombinerClass(Sum.class);
        job.setPartitionerClass(ToFirst.class);
        LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
    }

    /** Leaves all partitions but the first empty. */
    public static final class ToFirst extends Partitioner<Text, IntWritable> {
        @Override
        public int getPartition(Text key, IntWritable value, int partitions) {
            return 0;
        }
    }
}
