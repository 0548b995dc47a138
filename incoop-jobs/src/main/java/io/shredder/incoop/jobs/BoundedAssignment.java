// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

/**
 * Finds each point's nearest centroid, exactly as {@link Points#nearest} does, leaving out what bounds rule out. A
 * point keeps its centroid only if its upper bound is below its lower bound, or below half the distance from its
 * centroid to the next one. All are rounded so that a tie is never taken for a difference. For one thread.
 */
final class BoundedAssignment {
    private final Points centroids;
    private final double[] halfToNext;
    private long distances;
    private int scans;

    BoundedAssignment(Points centroids) {
        this.centroids = centroids;
        this.halfToNext = new double[centroids.count()];
        for (int c = 0; c < halfToNext.length; c++) {
            long least = Long.MAX_VALUE;
            for (int other = 0; other < halfToNext.length; other++) {
                if (other != c) {
                    least = Math.min(least, between(other, centroids, c));
                }
            }
            halfToNext[c] = Math.nextDown(rootDown(least) / 2);
        }
    }

    /** Distances between points and centroids that were computed so far. */
    long distances() {
        return distances;
    }

    /** Points of the last batch that were compared with every centroid. */
    int scans() {
        return scans;
    }

    /**
     * Points of which nothing is known.
     *
     * @param points their coordinates, point after point
     */
    PointBounds first(int[] points, int count) {
        PointBounds bounds = new PointBounds(centroids, count);
        for (int i = 0; i < count; i++) {
            scan(points, i, bounds);
        }
        scans = count;
        return bounds;
    }

    /** The same points as before, under these centroids. */
    PointBounds next(int[] points, PointBounds last) {
        double[] moved = movedSince(last.centroids());
        int furthest = furthest(moved, -1);
        int second = furthest(moved, furthest);
        PointBounds bounds = new PointBounds(centroids, last.points());
        scans = 0;
        for (int i = 0; i < last.points(); i++) {
            int own = last.nearest()[i];
            double others = own == furthest ? (second < 0 ? 0 : moved[second]) : moved[furthest];
            double upper = Math.nextUp(last.upper()[i] + moved[own]);
            double lower = Math.nextDown(last.lower()[i] - others);
            double safe = Math.max(lower, halfToNext[own]);
            if (upper >= safe) {
                upper = rootUp(centroids.squaredDistance(own, points, i * dimensions()));
                distances++;
            }
            if (upper < safe) {
                bounds.nearest()[i] = own;
                bounds.upper()[i] = floatUp(upper);
                bounds.lower()[i] = floatDown(lower);
            } else {
                scan(points, i, bounds);
                scans++;
            }
        }
        return bounds;
    }

    private void scan(int[] points, int i, PointBounds bounds) {
        int best = 0;
        long least = Long.MAX_VALUE;
        long second = Long.MAX_VALUE;
        for (int c = 0; c < centroids.count(); c++) {
            long distance = centroids.squaredDistance(c, points, i * dimensions());
            if (distance < least) {
                second = least;
                least = distance;
                best = c;
            } else {
                second = Math.min(second, distance);
            }
        }
        distances += centroids.count();
        bounds.nearest()[i] = best;
        bounds.upper()[i] = floatUp(rootUp(least));
        bounds.lower()[i] = floatDown(rootDown(second));
    }

    private double[] movedSince(Points before) {
        double[] moved = new double[centroids.count()];
        for (int c = 0; c < moved.length; c++) {
            moved[c] = rootUp(between(c, before, c));
        }
        return moved;
    }

    private static int furthest(double[] moved, int except) {
        int furthest = -1;
        for (int c = 0; c < moved.length; c++) {
            if (c != except && (furthest < 0 || moved[c] > moved[furthest])) {
                furthest = c;
            }
        }
        return furthest;
    }

    private long between(int mine, Points others, int other) {
        return centroids.squaredDistance(mine, others.coordinates(), other * dimensions());
    }

    private int dimensions() {
        return centroids.format().dimensions();
    }

    /** At least the square root; exact for 0. */
    private static double rootUp(long square) {
        return square == 0 ? 0 : Math.nextUp(Math.sqrt(Math.nextUp((double) square)));
    }

    /** At most the square root. */
    private static double rootDown(long square) {
        return square == 0 ? 0 : Math.nextDown(Math.sqrt(Math.nextDown((double) square)));
    }

    private static float floatUp(double value) {
        float rounded = (float) value;
        return rounded < value ? Math.nextUp(rounded) : rounded;
    }

    private static float floatDown(double value) {
        float rounded = (float) value;
        return rounded > value ? Math.nextDown(rounded) : rounded;
    }
}
