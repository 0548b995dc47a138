// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes that clients may write. What a call has written is read by whoever reads after it has returned. It is durable
 * once a {@link #flush} has returned that began after that, whoever calls it: so several connections may share one.
 */
public interface WritableVolume extends NbdVolume {

    /** Takes the remaining bytes of the buffer, which is the caller's again afterwards. */
    void write(long offset, ByteBuffer from) throws IOException;

    /**
     * Writes zeros.
     *
     * @param mayBeHole whether they may take no room
     */
    void zero(long offset, long bytes, boolean mayBeHole) throws IOException;

    /** Nobody needs these bytes any more. They may read as anything that was there, or as zeros. */
    void trim(long offset, long bytes) throws IOException;

    /** Returns when all that was written before is durable. */
    void flush() throws IOException;
}
