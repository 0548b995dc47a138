// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.util.ArrayList;
import java.util.List;

/** A few points side by side, such as centroids or queries. Read-only. */
final class Points {
    private final PointFormat format;
    private final int count;
    private final int[] coordinates;

    /**
     * Points of some coordinates.
     *
     * @param format how they are written
     * @param coordinates in units, point after point; not copied
     */
    Points(PointFormat format, int count, int[] coordinates) {
        this.format = format;
        this.count = count;
        this.coordinates = coordinates;
    }

    PointFormat format() {
        return format;
    }

    int count() {
        return count;
    }

    /** In units, point after point; not to be changed. */
    int[] coordinates() {
        return coordinates;
    }

    /** The points of lines of text; blank lines are left out. */
    static Points parse(List<String> lines, PointFormat format) {
        List<String> points = lines.stream().filter(line -> !line.isBlank()).toList();
        int[] coordinates = new int[points.size() * format.dimensions()];
        for (int i = 0; i < points.size(); i++) {
            int[] point = format.parse(points.get(i));
            System.arraycopy(point, 0, coordinates, i * format.dimensions(), format.dimensions());
        }
        return new Points(format, points.size(), coordinates);
    }

    /** A line of text each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lines.add(format.line(coordinates, i * format.dimensions()));
        }
        return lines;
    }

    /** The squared distance, in squared units, of one of these to a point that lies at a position of an array. */
    long squaredDistance(int index, int[] points, int at) {
        int dimensions = format.dimensions();
        int from = index * dimensions;
        long sum = 0;
        for (int i = 0; i < dimensions; i++) {
            long difference = (long) coordinates[from + i] - points[at + i];
            sum += difference * difference;
        }
        return sum;
    }

    /** Which of these is nearest; of several the first. */
    int nearest(int[] points, int at) {
        int best = 0;
        long least = Long.MAX_VALUE;
        for (int c = 0; c < count; c++) {
            long distance = squaredDistance(c, points, at);
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        return best;
    }
}
