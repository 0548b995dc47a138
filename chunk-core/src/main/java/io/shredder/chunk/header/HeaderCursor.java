// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/** Reads a header's fields in order. Numbers are big-endian. */
final class HeaderCursor {

    /** Longer ones are damage: metadata are names and schemas. */
    private static final int MAX_BYTES = 64 << 20;

    private final ByteBuffer bytes;
    private final String file;

    HeaderCursor(ByteBuffer start, String file) {
        this.bytes = start.slice();
        this.file = file;
    }

    int position() {
        return bytes.position();
    }

    DamagedDataException damaged(int offset, String problem) {
        return new DamagedDataException(file, offset, problem);
    }

    int oneByte() throws IncompleteHeaderException, DamagedDataException {
        need(1);
        return bytes.get();
    }

    int fourBytes() throws IncompleteHeaderException, DamagedDataException {
        need(4);
        return bytes.getInt();
    }

    byte[] take(int count) throws IncompleteHeaderException, DamagedDataException {
        need(count);
        byte[] taken = new byte[count];
        bytes.get(taken);
        return taken;
    }

    void skip(long count) throws IncompleteHeaderException, DamagedDataException {
        need(count);
        bytes.position(bytes.position() + (int) count);
    }

    boolean flag(String name) throws IncompleteHeaderException, DamagedDataException {
        int offset = position();
        int value = oneByte();
        if (value != 0 && value != 1) {
            throw damaged(offset, name + " is " + value + ", neither 0 nor 1");
        }
        return value == 1;
    }

    private void need(long count) throws IncompleteHeaderException, DamagedDataException {
        long end = bytes.position() + count;
        if (end > MAX_BYTES) {
            throw damaged(position(), "a header field of " + count + " bytes: a header has at most " + MAX_BYTES);
        }
        if (end > bytes.limit()) {
            throw new IncompleteHeaderException(end);
        }
    }
}
