// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Gives each query's nearest points among those it was given. */
final class NearestMapper extends Mapper<LongWritable, BinaryComparable, IntWritable, NearestPoints> {
    private PointFormat format = new PointFormat(1, 0, false);
    private Points queries = new Points(format, 0, new int[0]);
    private NearestPoints[] nearest = new NearestPoints[0];
    private int[] point = new int[0];

    @Override
    protected void setup(Context context) throws IOException {
        Configuration conf = context.getConfiguration();
        format = PointFormat.of(conf);
        queries = Points.parse(CacheFile.lines(conf, KNearestNeighbours.QUERIES), format);
        point = new int[format.dimensions()];
        nearest = new NearestPoints[queries.count()];
        for (int q = 0; q < nearest.length; q++) {
            nearest[q] = new NearestPoints();
            nearest[q].clear(
                    conf.getInt(KNearestNeighbours.NEIGHBOURS, KNearestNeighbours.DEFAULT_NEIGHBOURS),
                    format.dimensions());
        }
    }

    @Override
    protected void map(LongWritable position, BinaryComparable value, Context context) {
        format.read(value, point, 0);
        for (int q = 0; q < nearest.length; q++) {
            nearest[q].offer(queries.squaredDistance(q, point, 0), point, 0);
        }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        IntWritable query = new IntWritable();
        for (int q = 0; q < nearest.length; q++) {
            if (nearest[q].size() > 0) {
                query.set(q);
                context.write(query, nearest[q]);
            }
        }
    }
}
