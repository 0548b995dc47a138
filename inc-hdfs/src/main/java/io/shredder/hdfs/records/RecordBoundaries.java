// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds record ends in one stream. Every byte of the stream passes once, in order, through either {@link #skip} or
 * {@link #findEnd}, in buffers of any length; where the buffers begin and end never changes the answers.
 *
 * <p>A record end is a position between two bytes: a record's last byte is before it, the next record's first after it.
 * It is found only when the byte after it is there, so {@code CR} can wait for its {@code LF}. The stream's end, which
 * is a record end too, is the caller's to know. One instance serves one stream on one thread.
 *
 * <p>Where record ends depend on the last bytes alone, {@link #skip} looks at no others; a format whose structure has
 * to be followed from its start looks at all of it, and finds damage.
 */
public interface RecordBoundaries {

    /**
     * Passes over all remaining bytes of {@code data}, in which no record end is asked for.
     *
     * @throws IOException if the file's structure is damaged, naming the file and the offset
     */
    void skip(ByteBuffer data) throws IOException;

    /**
     * Advances {@code data} to the first record end at or after its position.
     *
     * @return whether there is one before the last remaining byte; if not, all of {@code data} has been passed over
     * @throws IOException if the file's structure is damaged, naming the file and the offset
     */
    boolean findEnd(ByteBuffer data) throws IOException;

    /**
     * The stream has ended.
     *
     * @throws IOException if it may not end there, naming the file and the offset
     */
    default void finish() throws IOException {}
}
