// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

/**
 * What is known of a batch of points under some centroids (Hamerly, "Making k-means even faster", SDM 2010). Every
 * bound holds for sure: they are rounded away from the truth. Distances are in units.
 */
final class PointBounds {
    private final Points centroids;
    private final int[] nearest;
    private final float[] upper;
    private final float[] lower;

    /** Bounds of so many points under these centroids, yet to be filled in. */
    PointBounds(Points centroids, int points) {
        this.centroids = centroids;
        this.nearest = new int[points];
        this.upper = new float[points];
        this.lower = new float[points];
    }

    /** The centroids that the rest is about. */
    Points centroids() {
        return centroids;
    }

    int points() {
        return nearest.length;
    }

    /** Each point's nearest centroid, of several the first. */
    int[] nearest() {
        return nearest;
    }

    /** At least the distance to the nearest centroid. */
    float[] upper() {
        return upper;
    }

    /** At most the distance to any other centroid. */
    float[] lower() {
        return lower;
    }
}
