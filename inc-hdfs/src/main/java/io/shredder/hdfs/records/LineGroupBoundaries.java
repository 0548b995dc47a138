// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.nio.ByteBuffer;

/**
 * Groups of so many lines, counted from the file's start: what {@code NLineInputFormat} gives a mapper each. A line
 * inserted near the start moves every group behind it, there as here.
 */
final class LineGroupBoundaries implements RecordBoundaries {

    private static final byte LF = '\n';
    private static final byte CR = '\r';

    private final int linesPerGroup;
    private byte previous;
    private int linesInGroup;

    /** @param linesPerGroup at least 1 */
    LineGroupBoundaries(int linesPerGroup) {
        this.linesPerGroup = linesPerGroup;
    }

    @Override
    public void skip(ByteBuffer data) {
        while (data.hasRemaining()) {
            step(data.get());
        }
    }

    @Override
    public boolean findEnd(ByteBuffer data) {
        while (data.hasRemaining()) {
            byte next = data.get(data.position());
            if (lineEndsBefore(next) && linesInGroup + 1 == linesPerGroup) {
                return true;
            }
            step(data.get());
        }
        return false;
    }

    private boolean lineEndsBefore(byte next) {
        return previous == LF || (previous == CR && next != LF);
    }

    private void step(byte b) {
        if (lineEndsBefore(b)) {
            linesInGroup = (linesInGroup + 1) % linesPerGroup;
        }
        previous = b;
    }
}
