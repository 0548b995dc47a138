// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What a client asks once the negotiation is over.
 *
 * @param flags of the command
 * @param type of the command
 * @param cookie that the answer has, too
 * @param offset in the export, unsigned
 * @param length unsigned
 */
record NbdRequest(int flags, int type, long cookie, long offset, long length) {

    static final int BYTES = 28;

    /** Reads one. */
    static NbdRequest read(ByteBuffer head) throws IOException {
        int magic = head.getInt();
        if (magic != NbdNumbers.REQUEST_MAGIC) {
            throw new IOException("a request begins with " + Integer.toHexString(magic));
        }
        return new NbdRequest(
                Short.toUnsignedInt(head.getShort()),
                Short.toUnsignedInt(head.getShort()),
                head.getLong(),
                head.getLong(),
                Integer.toUnsignedLong(head.getInt()));
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Whether all of it is within an export of so many bytes. */
    boolean isWithin(long size) {
        return offset >= 0 && offset <= size && length <= size - offset;
    }

    long end() {
        return offset + length;
    }
}
