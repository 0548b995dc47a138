// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat;

/**
 * How points are written. A coordinate is a whole number of units; in text a unit is the last decimal place that
 * counts. Whole numbers make sums and squared distances exact, so that a result does not depend on how points were
 * grouped into tasks.
 *
 * <p>Text: a point a line, its coordinates as decimal numbers with blanks, tabs or commas between. Binary: records of
 * 4-byte big-endian whole numbers, one a coordinate, already in units.
 *
 * @param dimensions coordinates of a point
 * @param decimals places after the point that count
 * @param binary whether records are binary
 */
record PointFormat(int dimensions, int decimals, boolean binary) {
    static final int MOST_DIMENSIONS = 512;
    static final List<Arguments.Option> OPTIONS = List.of(
            new Arguments.Option("decimals", "N", "places after the decimal point that count, 0 to 6, default 3"),
            new Arguments.Option(
                    "records", "KIND", "text (a point a line) or binary (4-byte big-endian numbers), default text"));

    private static final int MOST_DECIMALS = 6;
    private static final int DEFAULT_DECIMALS = 3;
    private static final String DIMENSIONS = "points.dimensions";
    private static final String DECIMALS = "points.decimals";
    private static final String BINARY = "points.binary";

    PointFormat {
        if (dimensions < 1 || dimensions > MOST_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "points have " + dimensions + " coordinates: from 1 to " + MOST_DIMENSIONS + " are possible");
        }
    }

    /** What the command line says, for points like a given line. */
    static PointFormat of(Arguments arguments, String line) {
        String records = arguments.text("records").orElse("text");
        if (!records.equals("text") && !records.equals("binary")) {
            throw new IllegalArgumentException("--records is '" + records + "': give text or binary");
        }
        return new PointFormat(
                fields(line).length,
                arguments.number("decimals", DEFAULT_DECIMALS, 0, MOST_DECIMALS),
                records.equals("binary"));
    }

    static PointFormat of(Configuration conf) {
        return new PointFormat(
                conf.getInt(DIMENSIONS, 0), conf.getInt(DECIMALS, DEFAULT_DECIMALS), conf.getBoolean(BINARY, false));
    }

    /** Tells a job's tasks, and has its input read accordingly. */
    void applyTo(Job job) {
        Configuration conf = job.getConfiguration();
        conf.setInt(DIMENSIONS, dimensions);
        conf.setInt(DECIMALS, decimals);
        conf.setBoolean(BINARY, binary);
        if (binary) {
            job.setInputFormatClass(FixedLengthInputFormat.class);
            FixedLengthInputFormat.setRecordLength(conf, Integer.BYTES * dimensions);
        }
    }

    /** The largest coordinate, in units, with which no squared distance leaves 63 bits. */
    int mostUnits() {
        return (int) Math.min(1 << 30, (long) Math.sqrt(Long.MAX_VALUE / (4.0 * dimensions)) - 1);
    }

    /**
     * Reads a record.
     *
     * @param into where its coordinates go, in units, from position {@code at}
     * @throws IllegalArgumentException if the record is not a point, with the record
     */
    void read(BinaryComparable record, int[] into, int at) {
        if (binary) {
            readBinary(record, into, at);
        } else {
            readText(record, into, at);
        }
    }

    private void readBinary(BinaryComparable record, int[] into, int at) {
        byte[] bytes = record.getBytes();
        for (int i = 0; i < dimensions; i++) {
            into[at + i] = inRange(WritableComparator.readInt(bytes, Integer.BYTES * i), record);
        }
    }

    private void readText(BinaryComparable record, int[] into, int at) {
        byte[] line = record.getBytes();
        int length = record.getLength();
        int position = 0;
        for (int i = 0; i < dimensions; i++) {
            position = skipSeparators(line, position, length);
            int end = position;
            while (end < length && !isSeparator(line[end])) {
                end++;
            }
            into[at + i] = inRange(units(line, position, end, record), record);
            position = end;
        }
        if (skipSeparators(line, position, length) != length) {
            throw bad(record, "has more than " + dimensions + " coordinates");
        }
    }

    private long units(byte[] line, int start, int end, BinaryComparable record) {
        boolean negative = start < end && line[start] == '-';
        long value = 0;
        int places = -1;
        int digits = 0;
        for (int i = negative ? start + 1 : start; i < end; i++) {
            if (line[i] == '.' && places < 0) {
                places = 0;
            } else if (line[i] >= '0' && line[i] <= '9' && digits < 18) {
                value = 10 * value + (line[i] - '0');
                digits++;
                places += places < 0 ? 0 : 1;
            } else {
                throw bad(record, "has a coordinate that is not a decimal number");
            }
        }
        if (digits == 0 || places > decimals) {
            throw bad(record, digits == 0 ? "lacks a coordinate" : "has more than " + decimals + " decimal places");
        }
        for (int place = Math.max(0, places); place < decimals; place++) {
            value = Math.min(10 * value, Integer.MAX_VALUE);
        }
        return negative ? -value : value;
    }

    private int inRange(long units, BinaryComparable record) {
        if (Math.abs(units) > mostUnits()) {
            throw bad(record, "has a coordinate beyond " + text(mostUnits()));
        }
        return (int) units;
    }

    private IllegalArgumentException bad(BinaryComparable record, String what) {
        String shown = binary
                ? record.getLength() + " bytes"
                : new String(record.getBytes(), 0, Math.min(100, record.getLength()), StandardCharsets.UTF_8);
        return new IllegalArgumentException("the point '" + shown + "' " + what);
    }

    /** A line of text as a point, in units. */
    int[] parse(String line) {
        int[] point = new int[dimensions];
        readText(new Text(line), point, 0);
        return point;
    }

    /** A point as a line of text. */
    String line(int[] coordinates, int at) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < dimensions; i++) {
            line.append(i == 0 ? "" : " ").append(text(coordinates[at + i]));
        }
        return line.toString();
    }

    private String text(int units) {
        return BigDecimal.valueOf(units, decimals).toPlainString();
    }

    private static String[] fields(String line) {
        return line.strip().split("[ ,\t]+", -1);
    }

    private static int skipSeparators(byte[] line, int from, int length) {
        int position = from;
        while (position < length && isSeparator(line[position])) {
            position++;
        }
        return position;
    }

    private static boolean isSeparator(byte b) {
        return b == ' ' || b == ',' || b == '\t' || b == '\r';
    }
}
