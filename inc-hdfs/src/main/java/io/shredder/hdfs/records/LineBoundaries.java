// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.nio.ByteBuffer;

/** Lines as {@code LineRecordReader} reads them without a delimiter: they end after LF, CR or CRLF. */
final class LineBoundaries implements RecordBoundaries {

    private static final byte LF = '\n';
    private static final byte CR = '\r';

    private byte previous;

    @Override
    public void skip(ByteBuffer data) {
        if (data.hasRemaining()) {
            previous = data.get(data.limit() - 1);
            data.position(data.limit());
        }
    }

    @Override
    public boolean findEnd(ByteBuffer data) {
        int limit = data.limit();
        byte before = previous;
        for (int i = data.position(); i < limit; i++) {
            byte b = data.get(i);
            if (before == LF || (before == CR && b != LF)) {
                previous = before;
                data.position(i);
                return true;
            }
            before = b;
        }
        previous = before;
        data.position(limit);
        return false;
    }
}
