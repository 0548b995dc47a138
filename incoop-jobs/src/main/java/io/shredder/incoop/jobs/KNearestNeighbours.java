// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * The points of a set nearest to each of some queries: lines of query (counted from 0), tab,
 * {@link NearestPoints#line}.
 */
final class KNearestNeighbours extends JobTool {
    static final String QUERIES = "knn.queries";
    static final String NEIGHBOURS = "knn.neighbours";
    static final int DEFAULT_NEIGHBOURS = 10;
    private static final int MOST_NEIGHBOURS = 10_000;

    KNearestNeighbours() {
        super("knn", "Finds the points nearest to each query.", options());
    }

    private static List<Arguments.Option> options() {
        List<Arguments.Option> options = new ArrayList<>();
        options.add(new Arguments.Option("queries", "FILE", "the queries, a point a line"));
        options.add(new Arguments.Option(
                "neighbours", "N", "so many points for each query, default " + DEFAULT_NEIGHBOURS));
        options.addAll(PointFormat.OPTIONS);
        return options;
    }

    @Override
    int run(Arguments arguments) throws IOException, InterruptedException, ClassNotFoundException {
        Path queries = new Path(arguments.required("queries"));
        List<String> lines = CacheFile.lines(queries.getFileSystem(configuration()), queries);
        PointFormat format = PointFormat.of(
                arguments,
                lines.stream()
                        .filter(line -> !line.isBlank())
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(queries + " has no points")));
        Points.parse(lines, format);
        Job job = job(arguments, new Path(arguments.output()));
        format.applyTo(job);
        CacheFile.add(job, queries, QUERIES);
        job.getConfiguration()
                .setInt(NEIGHBOURS, arguments.number("neighbours", DEFAULT_NEIGHBOURS, 1, MOST_NEIGHBOURS));
        job.setMapperClass(NearestMapper.class);
        job.setCombinerClass(NearestCombiner.class);
        job.setReducerClass(NearestReducer.class);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setMapOutputValueClass(NearestPoints.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        return succeeds(job) ? DONE : FAILED;
    }

    private static NearestPoints merged(Iterable<NearestPoints> lists, Configuration conf) {
        NearestPoints nearest = new NearestPoints();
        nearest.clear(
                conf.getInt(NEIGHBOURS, DEFAULT_NEIGHBOURS),
                PointFormat.of(conf).dimensions());
        for (NearestPoints list : lists) {
            nearest.offerAll(list);
        }
        return nearest;
    }

    /** Merges lists. */
    static final class NearestCombiner extends Reducer<IntWritable, NearestPoints, IntWritable, NearestPoints> {
        @Override
        protected void reduce(IntWritable query, Iterable<NearestPoints> lists, Context context)
                throws IOException, InterruptedException {
            context.write(query, merged(lists, context.getConfiguration()));
        }
    }

    /** Merges lists and writes them for people. */
    static final class NearestReducer extends Reducer<IntWritable, NearestPoints, IntWritable, Text> {
        @Override
        protected void reduce(IntWritable query, Iterable<NearestPoints> lists, Context context)
                throws IOException, InterruptedException {
            Configuration conf = context.getConfiguration();
            context.write(query, new Text(merged(lists, conf).line(PointFormat.of(conf))));
        }
    }
}
