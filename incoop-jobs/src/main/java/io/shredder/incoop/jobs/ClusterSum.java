// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** A cluster's count of points and sum of coordinates, in units. Whole numbers: any grouping gives the same. */
final class ClusterSum implements Writable {
    private long count;
    private long[] sums = new long[0];

    /** Starts again with no points. */
    void clear(int dimensions) {
        count = 0;
        sums = new long[dimensions];
    }

    /** Adds a point. */
    void add(int[] points, int at) {
        count++;
        for (int i = 0; i < sums.length; i++) {
            sums[i] += points[at + i];
        }
    }

    /** Adds the points of another cluster of as many dimensions. */
    void add(ClusterSum other) {
        count += other.count;
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.sums[i];
        }
    }

    long count() {
        return count;
    }

    /** The points' mean, each coordinate rounded to the nearest unit, halves up. */
    int[] mean() {
        int[] mean = new int[sums.length];
        for (int i = 0; i < sums.length; i++) {
            mean[i] = Math.toIntExact(Math.floorDiv(2 * sums[i] + count, 2 * count));
        }
        return mean;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeVLong(out, count);
        WritableUtils.writeVInt(out, sums.length);
        for (long sum : sums) {
            WritableUtils.writeVLong(out, sum);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        count = WritableUtils.readVLong(in);
        int dimensions = WritableUtils.readVInt(in);
        if (dimensions != sums.length) {
            sums = new long[dimensions];
        }
        for (int i = 0; i < dimensions; i++) {
            sums[i] = WritableUtils.readVLong(in);
        }
    }
}
