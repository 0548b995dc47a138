// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Adds each point to its nearest centroid's cluster and gives the clusters' sums at the end. */
final class KMeansMapper extends Mapper<LongWritable, BinaryComparable, IntWritable, ClusterSum> {
    private PointFormat format = new PointFormat(1, 0, false);
    private Points centroids = new Points(format, 0, new int[0]);
    private int[] point = new int[0];
    private ClusterSum[] clusters = new ClusterSum[0];

    @Override
    protected void setup(Context context) throws IOException {
        Configuration conf = context.getConfiguration();
        format = PointFormat.of(conf);
        centroids = Points.parse(CacheFile.lines(conf, KMeans.CENTROIDS), format);
        point = new int[format.dimensions()];
        clusters = empty(centroids);
    }

    @Override
    protected void map(LongWritable position, BinaryComparable value, Context context) {
        format.read(value, point, 0);
        clusters[centroids.nearest(point, 0)].add(point, 0);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        write(clusters, context);
    }

    /** A cluster without points for each centroid. */
    static ClusterSum[] empty(Points centroids) {
        ClusterSum[] clusters = new ClusterSum[centroids.count()];
        for (int c = 0; c < clusters.length; c++) {
            clusters[c] = new ClusterSum();
            clusters[c].clear(centroids.format().dimensions());
        }
        return clusters;
    }

    /** Writes the clusters that have points. */
    static void write(
            ClusterSum[] clusters, Mapper<LongWritable, BinaryComparable, IntWritable, ClusterSum>.Context context)
            throws IOException, InterruptedException {
        IntWritable cluster = new IntWritable();
        for (int c = 0; c < clusters.length; c++) {
            if (clusters[c].count() > 0) {
                cluster.set(c);
                context.write(cluster, clusters[c]);
            }
        }
    }
}
