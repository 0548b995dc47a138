// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/**
 * Lloyd's k-means over fixed-point numbers, a job an iteration. The centroids of an iteration travel as a cache file,
 * so whoever asks what a job depends on sees them. Each mean is rounded to a unit; a cluster without points keeps its
 * centroid. The same points in any order and grouping give the same centroids, bit for bit.
 *
 * <p>OUTPUT/iteration-NNN has the part files of an iteration (cluster, centroid, number of points) and its centroids;
 * OUTPUT/centroids is the last of them.
 */
final class KMeans extends JobTool {
    static final String CENTROIDS = "kmeans.centroids";
    static final String BOUNDS = "kmeans.bounds.dir";

    private static final String CENTROIDS_FILE = "centroids";
    private static final int DEFAULT_ITERATIONS = 10;
    private static final int MOST_ITERATIONS = 999;

    KMeans() {
        super(
                "kmeans",
                "Finds clusters of points by Lloyd's iteration; stops when no centroid moves.",
                concat(
                        List.of(
                                new Arguments.Option("centroids", "FILE", "the first centroids, a point a line"),
                                new Arguments.Option(
                                        "iterations", "N", "at most so many, default " + DEFAULT_ITERATIONS),
                                new Arguments.Option(
                                        "bounds",
                                        "FOLDER",
                                        "keep bounds of the points' distances there and leave out what they rule out;"
                                                + " the result is the same (docs/formats/kmeans-bounds.md)")),
                        PointFormat.OPTIONS));
    }

    private static List<Arguments.Option> concat(List<Arguments.Option> some, List<Arguments.Option> others) {
        List<Arguments.Option> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    @Override
    int run(Arguments arguments) throws IOException, InterruptedException, ClassNotFoundException {
        int iterations = arguments.number("iterations", DEFAULT_ITERATIONS, 1, MOST_ITERATIONS);
        Path output = new Path(arguments.output());
        FileSystem fs = output.getFileSystem(configuration());
        if (fs.exists(output)) {
            throw new IOException(output + " exists already: name a new folder");
        }
        Points centroids = firstCentroids(arguments);
        Path file = write(fs, output, centroids);
        for (int iteration = 1; iteration <= iterations; iteration++) {
            Path folder = new Path(output, String.format("iteration-%03d", iteration));
            Job job = iteration(arguments, folder, file, centroids.format());
            if (!succeeds(job)) {
                return FAILED;
            }
            Points next = moved(fs, folder, centroids);
            boolean still = Arrays.equals(next.coordinates(), centroids.coordinates());
            centroids = next;
            file = write(fs, folder, centroids);
            if (still) {
                System.out.println("kmeans: no centroid moved in iteration " + iteration);
                break;
            }
        }
        write(fs, output, centroids);
        return DONE;
    }

    private Points firstCentroids(Arguments arguments) throws IOException {
        Path file = new Path(arguments.required("centroids"));
        List<String> lines = CacheFile.lines(file.getFileSystem(configuration()), file);
        String first = lines.stream()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(file + " has no points"));
        return Points.parse(lines, PointFormat.of(arguments, first));
    }

    private Job iteration(Arguments arguments, Path folder, Path centroids, PointFormat format) throws IOException {
        Job job = job(arguments, folder);
        format.applyTo(job);
        CacheFile.add(job, centroids, CENTROIDS);
        Optional<String> bounds = arguments.text("bounds");
        if (bounds.isPresent()) {
            Path whole = new Path(bounds.get());
            job.getConfiguration()
                    .set(
                            BOUNDS,
                            whole.getFileSystem(configuration())
                                    .makeQualified(whole)
                                    .toString());
        }
        job.setMapperClass(bounds.isPresent() ? BoundedKMeansMapper.class : KMeansMapper.class);
        job.setCombinerClass(ClusterSums.class);
        job.setReducerClass(MeanReducer.class);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setMapOutputValueClass(ClusterSum.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        return job;
    }

    /** The centroids after a job: what its part files say, and the old ones of clusters without points. */
    private static Points moved(FileSystem fs, Path folder, Points before) throws IOException {
        int dimensions = before.format().dimensions();
        int[] coordinates = before.coordinates().clone();
        for (FileStatus part : fs.globStatus(new Path(folder, "part-*"))) {
            for (String line : CacheFile.lines(fs, part.getPath())) {
                String[] fields = line.split("\t", -1);
                int[] mean = before.format().parse(fields[1]);
                System.arraycopy(mean, 0, coordinates, Integer.parseInt(fields[0]) * dimensions, dimensions);
            }
        }
        return new Points(before.format(), before.count(), coordinates);
    }

    private static Path write(FileSystem fs, Path folder, Points centroids) throws IOException {
        Path file = new Path(folder, CENTROIDS_FILE);
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write((String.join("\n", centroids.lines()) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }
}
