// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/**
 * The few points nearest to a query, nearest first; of points equally far the one with the smaller coordinates first.
 * The order is total, so that merging lists in any grouping gives the same. For one thread.
 */
final class NearestPoints implements Writable {
    private int most;
    private int dimensions;
    private int size;
    private long[] squares = new long[0];
    private int[] coordinates = new int[0];

    /** Starts again without points. */
    void clear(int mostPoints, int pointDimensions) {
        most = mostPoints;
        dimensions = pointDimensions;
        size = 0;
        if (squares.length != most || coordinates.length != most * dimensions) {
            squares = new long[most];
            coordinates = new int[most * dimensions];
        }
    }

    int size() {
        return size;
    }

    /** Takes a point in if it is among the nearest. */
    void offer(long square, int[] points, int at) {
        if (size == most && (square > squares[most - 1] || compare(most - 1, square, points, at) <= 0)) {
            return;
        }
        int place = size == most ? most - 1 : size++;
        while (place > 0 && compare(place - 1, square, points, at) > 0) {
            squares[place] = squares[place - 1];
            System.arraycopy(coordinates, (place - 1) * dimensions, coordinates, place * dimensions, dimensions);
            place--;
        }
        squares[place] = square;
        System.arraycopy(points, at, coordinates, place * dimensions, dimensions);
    }

    /** Takes in the points of another list that are among the nearest. */
    void offerAll(NearestPoints other) {
        for (int i = 0; i < other.size; i++) {
            offer(other.squares[i], other.coordinates, i * dimensions);
        }
    }

    private int compare(int mine, long square, int[] points, int at) {
        int order = Long.compare(squares[mine], square);
        return order != 0
                ? order
                : Arrays.compare(coordinates, mine * dimensions, (mine + 1) * dimensions, points, at, at + dimensions);
    }

    /** Squared distance in squared units, colon, coordinates; semicolons between. */
    String line(PointFormat format) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < size; i++) {
            line.append(i == 0 ? "" : ";").append(squares[i]).append(':');
            line.append(format.line(coordinates, i * dimensions));
        }
        return line.toString();
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeVInt(out, dimensions);
        WritableUtils.writeVInt(out, size);
        for (int i = 0; i < size; i++) {
            WritableUtils.writeVLong(out, squares[i]);
        }
        for (int i = 0; i < size * dimensions; i++) {
            WritableUtils.writeVInt(out, coordinates[i]);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int readDimensions = WritableUtils.readVInt(in);
        int readSize = WritableUtils.readVInt(in);
        clear(readSize, readDimensions);
        size = readSize;
        for (int i = 0; i < size; i++) {
            squares[i] = WritableUtils.readVLong(in);
        }
        for (int i = 0; i < size * dimensions; i++) {
            coordinates[i] = WritableUtils.readVInt(in);
        }
    }
}
