// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Adds the sums of each cluster: the combiner of {@link KMeans}. */
final class ClusterSums extends Reducer<IntWritable, ClusterSum, IntWritable, ClusterSum> {
    private final ClusterSum total = new ClusterSum();

    @Override
    protected void reduce(IntWritable cluster, Iterable<ClusterSum> sums, Context context)
            throws IOException, InterruptedException {
        total.clear(PointFormat.of(context.getConfiguration()).dimensions());
        for (ClusterSum sum : sums) {
            total.add(sum);
        }
        context.write(cluster, total);
    }
}
