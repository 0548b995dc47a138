// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.nio.ByteBuffer;

/**
 * Records that end after each occurrence of a delimiter, leftmost first, none overlapping: what
 * {@code LineRecordReader} reads with {@code textinputformat.record.delimiter}.
 *
 * <p>Search is by Knuth, Morris and Pratt: {@code matched} delimiter bytes stand right before the position. If no
 * proper prefix of the delimiter is also its suffix, occurrences can't overlap. Then whether one ends at a position
 * depends on the last bytes alone, and {@link #skip} looks at no more than those. Else it must follow every byte.
 */
final class DelimiterBoundaries implements RecordBoundaries {

    private final byte[] delimiter;
    private final int[] fallback;
    private int matched;

    /** @param delimiter at least one byte; not copied */
    DelimiterBoundaries(byte[] delimiter) {
        if (delimiter.length == 0) {
            throw new IllegalArgumentException("an empty delimiter ends no record");
        }
        this.delimiter = delimiter;
        this.fallback = fallbacks(delimiter);
    }

    /** For each number of matched bytes, the longest proper prefix that is also their suffix. */
    private static int[] fallbacks(byte[] delimiter) {
        int[] fallback = new int[delimiter.length + 1];
        int length = 0;
        for (int i = 1; i < delimiter.length; i++) {
            while (length > 0 && delimiter[i] != delimiter[length]) {
                length = fallback[length];
            }
            if (delimiter[i] == delimiter[length]) {
                length++;
            }
            fallback[i + 1] = length;
        }
        return fallback;
    }

    /** Whether the delimiter's own end may be its beginning. */
    static boolean occurrencesMayOverlap(byte[] delimiter) {
        return fallbacks(delimiter)[delimiter.length] > 0;
    }

    @Override
    public void skip(ByteBuffer data) {
        boolean occurrencesMayOverlap = fallback[delimiter.length] > 0;
        if (!occurrencesMayOverlap && data.remaining() > delimiter.length) {
            matched = 0;
            data.position(data.limit() - delimiter.length);
        }
        while (data.hasRemaining()) {
            step(data.get());
        }
    }

    @Override
    public boolean findEnd(ByteBuffer data) {
        while (data.hasRemaining()) {
            if (matched == delimiter.length) {
                return true;
            }
            step(data.get());
        }
        return false;
    }

    private void step(byte b) {
        if (matched == delimiter.length) {
            matched = 0;
        }
        while (matched > 0 && delimiter[matched] != b) {
            matched = fallback[matched];
        }
        if (delimiter[matched] == b) {
            matched++;
        }
    }
}
