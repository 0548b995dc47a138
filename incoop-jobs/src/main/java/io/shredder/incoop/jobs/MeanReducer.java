// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/** Gives each cluster's mean and, after a tab, the number of its points. */
final class MeanReducer extends Reducer<IntWritable, ClusterSum, IntWritable, Text> {
    @Override
    protected void reduce(IntWritable cluster, Iterable<ClusterSum> sums, Context context)
            throws IOException, InterruptedException {
        PointFormat format = PointFormat.of(context.getConfiguration());
        ClusterSum total = new ClusterSum();
        total.clear(format.dimensions());
        for (ClusterSum sum : sums) {
            total.add(sum);
        }
        context.write(cluster, new Text(format.line(total.mean(), 0) + "\t" + total.count()));
    }
}
