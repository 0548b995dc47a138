// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BoundedAssignmentTest {
    /** Few units, so that there are many ties. */
    private static final int SIDE = 40;

    @Test
    void aPointsCentroidIsTheOneThatComparingWithAllOfThemGives() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            var format = new PointFormat(1 + random.nextInt(4), 0, false);
            int count = 1 + random.nextInt(300);
            int[] points = random.ints(count * format.dimensions(), 0, SIDE).toArray();
            int k = 1 + random.nextInt(12);
            Points centroids = randomPoints(random, format, k);
            PointBounds bounds = new BoundedAssignment(centroids).first(points, count);
            for (int iteration = 0; iteration < 8; iteration++) {
                assertExact(bounds, points, seed);
                bounds = new BoundedAssignment(moved(random, centroids)).next(points, bounds);
                centroids = bounds.centroids();
            }
        }
    }

    @Test
    void centroidsThatBarelyMoveNeedAlmostNoDistances() {
        var random = new Random(5);
        var format = new PointFormat(2, 0, false);
        int[] points = random.ints(20_000, 0, 1_000_000).toArray();
        Points centroids = new Points(format, 50, random.ints(100, 0, 1_000_000).toArray());
        PointBounds bounds = new BoundedAssignment(centroids).first(points, 10_000);
        int[] coordinates = centroids.coordinates().clone();
        coordinates[0] += 3;

        var next = new BoundedAssignment(new Points(format, 50, coordinates));
        next.next(points, bounds);

        assertThat(next.distances()).isLessThan(5_000);
    }

    private static void assertExact(PointBounds bounds, int[] points, long seed) {
        Points centroids = bounds.centroids();
        int dimensions = centroids.format().dimensions();
        for (int i = 0; i < bounds.points(); i++) {
            int nearest = centroids.nearest(points, i * dimensions);
            assertThat(bounds.nearest()[i]).as("seed %d", seed).isEqualTo(nearest);
            for (int c = 0; c < centroids.count(); c++) {
                double distance = Math.sqrt((double) centroids.squaredDistance(c, points, i * dimensions));
                if (c == nearest) {
                    assertThat((double) bounds.upper()[i]).isGreaterThanOrEqualTo(distance);
                } else {
                    assertThat((double) bounds.lower()[i]).isLessThanOrEqualTo(distance);
                }
            }
        }
    }

    private static Points randomPoints(Random random, PointFormat format, int count) {
        return new Points(
                format,
                count,
                random.ints((long) count * format.dimensions(), 0, SIDE).toArray());
    }

    private static Points moved(Random random, Points points) {
        int[] coordinates = points.coordinates().clone();
        for (int i = 0; i < coordinates.length; i++) {
            coordinates[i] += random.nextInt(5) - 2;
        }
        return new Points(points.format(), points.count(), coordinates);
    }
}
