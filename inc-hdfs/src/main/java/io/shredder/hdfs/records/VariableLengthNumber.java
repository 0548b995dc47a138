// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

/** A number as Hadoop's {@code WritableUtils.writeVLong} writes it, taken byte by byte. */
final class VariableLengthNumber {

    private static final int LAST_SHORT = -112;
    private static final int LAST_POSITIVE = -120;

    private boolean begun;
    private boolean negative;
    private int bytesLeft;
    private long value;

    /** Takes one byte; says whether the number is complete. */
    boolean add(byte b) {
        if (begun) {
            value = value << 8 | (b & 0xFF);
            bytesLeft--;
            return bytesLeft == 0;
        }
        begun = true;
        if (b >= LAST_SHORT) {
            value = b;
            return true;
        }
        negative = b < LAST_POSITIVE;
        bytesLeft = (negative ? LAST_POSITIVE : LAST_SHORT) - b;
        value = 0;
        return false;
    }

    /** The complete number; the next byte begins another. */
    long take() {
        long taken = negative ? ~value : value;
        begun = false;
        negative = false;
        return taken;
    }
}
