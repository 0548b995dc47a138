// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.EndOfBytesException;
import io.shredder.chunk.FieldReader;
import java.nio.ByteBuffer;

/** The first bytes of a file, which may end before its header does: then more of them are needed. */
final class HeaderStart {

    /** Longer ones are damage: metadata are names and schemas. */
    private static final int MAX_BYTES = 64 << 20;

    private HeaderStart() {}

    /** Reads a header's fields in order. */
    interface Parser<T> {
        T parse(FieldReader fields) throws DamagedDataException;
    }

    static <T> T parse(ByteBuffer start, String file, Parser<T> parser)
            throws IncompleteHeaderException, DamagedDataException {
        ByteBuffer most = start.slice(start.position(), Math.min(start.remaining(), MAX_BYTES));
        try {
            return parser.parse(new FieldReader(most, file, 0));
        } catch (EndOfBytesException e) {
            long end = e.fieldOffset() + e.fieldBytes();
            if (end > MAX_BYTES) {
                throw new DamagedDataException(
                        file,
                        e.fieldOffset(),
                        "a header field of " + e.fieldBytes() + " bytes: a header has at most " + MAX_BYTES);
            }
            throw new IncompleteHeaderException(end);
        }
    }
}
