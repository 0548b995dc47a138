// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/**
 * Record ends that only whoever follows the file's structure from its start can tell. Fields are taken byte by byte;
 * what a length says can be passed over is never looked at, so nothing in it can be taken for structure.
 */
abstract class ParsedBoundaries implements RecordBoundaries {

    private final String file;
    private long offset;
    private long left;

    /** @param file for errors */
    ParsedBoundaries(String file) {
        this.file = file;
    }

    /** Whether a record ends here, between two fields, if {@code next} is the byte that follows. */
    abstract boolean endsBefore(byte next);

    /** Takes one byte of a field. */
    abstract void step(byte b) throws DamagedDataException;

    /** Whether the file may end here; never asked within what is passed over. */
    abstract boolean mayEnd();

    /** The next {@code bytes} bytes belong to no field. */
    final void passOver(long bytes) {
        left = bytes;
    }

    final String file() {
        return file;
    }

    /** Of the byte that {@link #step} is about to take or has just taken. */
    final long offset() {
        return offset;
    }

    final DamagedDataException damaged(long at, String problem) {
        return new DamagedDataException(file, at, problem);
    }

    @Override
    public final void skip(ByteBuffer data) throws DamagedDataException {
        advance(data, false);
    }

    @Override
    public final boolean findEnd(ByteBuffer data) throws DamagedDataException {
        return advance(data, true);
    }

    private boolean advance(ByteBuffer data, boolean stopAtEnd) throws DamagedDataException {
        while (data.hasRemaining()) {
            if (left > 0) {
                int passed = (int) Math.min(left, data.remaining());
                data.position(data.position() + passed);
                offset += passed;
                left -= passed;
            } else if (stopAtEnd && endsBefore(data.get(data.position()))) {
                return true;
            } else {
                step(data.get());
                offset++;
            }
        }
        return false;
    }

    @Override
    public final void finish() throws DamagedDataException {
        if (left > 0) {
            throw damaged(offset, "the file ends " + left + " bytes before a length says");
        }
        if (!mayEnd()) {
            throw damaged(offset, "the file ends in the middle of its structure");
        }
    }
}
