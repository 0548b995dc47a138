// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.bytes;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import java.nio.ByteBuffer;

/** Reads the fields that messages and files of backups have beside others. Not safe for several threads. */
public final class BodyReader extends FieldReader {

    /**
     * @param bytes read from its position to its limit
     * @param source the peer or file they came from, for errors
     * @param offset where in the source they begin, for errors
     */
    public BodyReader(ByteBuffer bytes, String source, long offset) {
        super(bytes, source, offset);
    }

    /** One of {@link Texts}. */
    public String text(String field) throws DamagedDataException {
        return text(field, Texts.MAX_BYTES);
    }

    /** That many bytes, unread. */
    public SealedBytes sealed(String field, int count) throws DamagedDataException {
        return new SealedBytes(take(field, count));
    }

    /** A reader of bytes that end where this one stands, with the same source. */
    public BodyReader over(ByteBuffer last) {
        return new BodyReader(last, source(), offset() - last.remaining());
    }
}
