// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Gives what {@link KMeansMapper} gives, computing fewer distances. The bounds of a batch of points are kept under the
 * points' content. So the next iteration finds them, and so does a later run over mostly the same points, wherever they
 * lie then.
 */
final class BoundedKMeansMapper extends Mapper<LongWritable, BinaryComparable, IntWritable, ClusterSum> {
    /** What was done and left out. */
    enum Work {
        POINTS,
        DISTANCES_COMPUTED,
        BATCHES_WITH_BOUNDS,
        BATCHES_WITHOUT_BOUNDS
    }

    /** A batch takes some megabytes of memory, its bounds about as much in the store. */
    private static final int MOST_POINTS = 1 << 18;

    /**
     * A batch ends behind a point with these bits of its hash zero, one of 65,536: where batches end depends on the
     * points alone, so that all but those around a change are found again, wherever a split begins.
     */
    private static final int END_MASK = 0xffff;

    /** Bounds are kept anew once this part of a batch's points escaped them. */
    private static final int ESCAPED_PART = 20;

    private PointFormat format = new PointFormat(1, 0, false);
    private Points centroids = new Points(format, 0, new int[0]);
    private BoundedAssignment assignment = new BoundedAssignment(centroids);
    private BoundsStore store = new BoundsStore(new Path("/"), new Configuration(false));
    private int[] batch = new int[0];
    private int points;
    private ClusterSum[] clusters = new ClusterSum[0];

    @Override
    protected void setup(Context context) throws IOException {
        Configuration conf = context.getConfiguration();
        format = PointFormat.of(conf);
        centroids = Points.parse(CacheFile.lines(conf, KMeans.CENTROIDS), format);
        assignment = new BoundedAssignment(centroids);
        store = new BoundsStore(new Path(conf.get(KMeans.BOUNDS)), conf);
        batch = new int[format.dimensions() * 1024];
        clusters = KMeansMapper.empty(centroids);
    }

    @Override
    protected void map(LongWritable position, BinaryComparable value, Context context) throws IOException {
        int at = points * format.dimensions();
        if (at + format.dimensions() > batch.length) {
            batch = Arrays.copyOf(batch, 2 * batch.length);
        }
        format.read(value, batch, at);
        points++;
        if (points == MOST_POINTS || endsBatch(at)) {
            assign(context);
        }
    }

    private boolean endsBatch(int at) {
        int hash = 1;
        for (int i = at; i < at + format.dimensions(); i++) {
            hash = 31 * hash + batch[i];
        }
        hash *= 0x9e3779b1; // Fibonacci hashing: the upper bits depend on all of them
        return (hash >>> 16 & END_MASK) == 0;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        if (points > 0) {
            assign(context);
        }
        context.getCounter(Work.DISTANCES_COMPUTED).increment(assignment.distances());
        KMeansMapper.write(clusters, context);
    }

    private void assign(Context context) throws IOException {
        String name = BoundsStore.nameOf(batch, points * format.dimensions(), format.dimensions());
        Optional<PointBounds> last = store.read(name, points, centroids);
        PointBounds bounds = last.isPresent() ? assignment.next(batch, last.get()) : assignment.first(batch, points);
        if (assignment.scans() >= points / ESCAPED_PART) {
            store.write(name, bounds);
        }
        for (int i = 0; i < points; i++) {
            clusters[bounds.nearest()[i]].add(batch, i * format.dimensions());
        }
        context.getCounter(Work.POINTS).increment(points);
        context.getCounter(last.isPresent() ? Work.BATCHES_WITH_BOUNDS : Work.BATCHES_WITHOUT_BOUNDS)
                .increment(1);
        points = 0;
        context.progress();
    }
}
