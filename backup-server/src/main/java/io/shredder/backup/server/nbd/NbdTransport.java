// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes to and from one client. One thread reads while another writes; {@link #close} may be called by any and ends
 * what blocks.
 */
interface NbdTransport extends Closeable {

    /**
     * Fills the buffer.
     *
     * @throws java.io.EOFException if the client closed the connection before
     */
    void read(ByteBuffer into) throws IOException;

    /** Sends all of it. */
    void write(ByteBuffer from) throws IOException;

    /** The next bytes, big-endian, ready to be read. */
    default ByteBuffer read(int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        read(buffer);
        return buffer.flip();
    }

    /** Reads bytes that nobody needs. */
    default void skip(long bytes) throws IOException {
        ByteBuffer some = ByteBuffer.allocate((int) Math.min(bytes, 64 << 10));
        for (long left = bytes; left > 0; left -= some.capacity()) {
            read(some.clear().limit((int) Math.min(left, some.capacity())));
        }
    }
}
