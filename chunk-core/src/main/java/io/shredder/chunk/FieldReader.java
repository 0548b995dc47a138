// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Reads the fields of a file or message in turn, never past its bytes, and refuses damage with source and offset.
 * Numbers are big-endian. What a field is called is for errors. Not safe for several threads.
 */
public class FieldReader {

    private final ByteBuffer bytes;
    private final String source;
    private final long base;

    /**
     * @param bytes read from its position to its limit; not consumed
     * @param source the peer or file they came from, for errors
     * @param offset where in the source they begin, for errors
     */
    public FieldReader(ByteBuffer bytes, String source, long offset) {
        this.bytes = bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.source = source;
        this.base = offset - bytes.position();
    }

    /** One unsigned byte. */
    public final int u8(String field) throws DamagedDataException {
        return Byte.toUnsignedInt(need(1, field).get());
    }

    /** Two bytes, unsigned. */
    public final int u16(String field) throws DamagedDataException {
        return Short.toUnsignedInt(need(2, field).getShort());
    }

    /** Four bytes that must be from 0 to {@code max}. */
    public final int length(String field, int max) throws DamagedDataException {
        int value = need(4, field).getInt();
        if (value < 0 || value > max) {
            throw damagedBefore(4, field + " " + Integer.toUnsignedString(value) + " is above " + max);
        }
        return value;
    }

    /** Eight bytes that must not be negative. */
    public final long u63(String field) throws DamagedDataException {
        long value = need(8, field).getLong();
        if (value < 0) {
            throw damagedBefore(8, field + " " + Long.toUnsignedString(value) + " is out of range");
        }
        return value;
    }

    /** Four bytes of any value. */
    public final int i32(String field) throws DamagedDataException {
        return need(4, field).getInt();
    }

    /** Eight bytes of any value. */
    public final long i64(String field) throws DamagedDataException {
        return need(8, field).getLong();
    }

    /** Sixteen bytes. */
    public final UUID uuid(String field) throws DamagedDataException {
        return new UUID(i64(field), i64(field));
    }

    /** Bytes that must all be 0. */
    public final void zeros(int count, String field) throws DamagedDataException {
        need(count, field);
        for (int i = 0; i < count; i++) {
            if (bytes.get() != 0) {
                throw damagedBefore(1, field + " is not zero");
            }
        }
    }

    /** A fingerprint. */
    public final Fingerprint fingerprint(String field) throws DamagedDataException {
        return Fingerprint.read(need(Fingerprint.BYTES, field));
    }

    /** A parameter block. */
    public final ChunkingParams params() throws DamagedDataException {
        return ChunkingParams.read(bytes, source, offset());
    }

    /** A two-byte length, at most {@code maxBytes}, and that many bytes of UTF-8. */
    public final String text(String field, int maxBytes) throws DamagedDataException {
        int length = u16(field);
        if (length > maxBytes) {
            throw damagedBefore(2, field + " of " + length + " bytes is longer than " + maxBytes);
        }
        return utf8(field, length);
    }

    /** That many bytes of UTF-8. */
    public final String utf8(String field, int count) throws DamagedDataException {
        ByteBuffer text = view(field, count);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw damagedBefore(count, field + " is not UTF-8");
        }
    }

    /** That many bytes, in a new array. */
    public final byte[] take(String field, int count) throws DamagedDataException {
        need(count, field);
        byte[] taken = new byte[count];
        bytes.get(taken);
        return taken;
    }

    /** Passes over that many bytes, at least none. */
    public final void skip(String field, int count) throws DamagedDataException {
        bytes.position(need(count, field).position() + count);
    }

    /** All bytes that are left, in a new array. */
    public final byte[] rest() {
        byte[] rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    /** That many bytes without a copy: a view, whose array has them if the bytes that are read have one. */
    public final ByteBuffer view(String field, int count) throws DamagedDataException {
        ByteBuffer taken = need(count, field).slice(bytes.position(), count);
        bytes.position(bytes.position() + count);
        return taken;
    }

    /** A reader of that many bytes, which this one passes over. */
    public final FieldReader part(String field, int count) throws DamagedDataException {
        long start = offset();
        return new FieldReader(view(field, count), source, start);
    }

    /** How many bytes are left. */
    public final int remaining() {
        return bytes.remaining();
    }

    /** Where in the source the next byte is. */
    public final long offset() {
        return base + bytes.position();
    }

    /** Where the bytes come from. */
    public final String source() {
        return source;
    }

    /** Refuses bytes after the last field. */
    public final void end() throws DamagedDataException {
        if (bytes.hasRemaining()) {
            throw damaged(bytes.remaining() + " bytes follow the last field");
        }
    }

    /** An error about the next byte. */
    public final DamagedDataException damaged(String problem) {
        return damagedAt(offset(), problem);
    }

    /** An error about a field that begins so many bytes before the next. */
    public final DamagedDataException damagedBefore(int back, String problem) {
        return damagedAt(offset() - back, problem);
    }

    /** An error about the byte at an offset in the source. */
    public final DamagedDataException damagedAt(long offset, String problem) {
        return new DamagedDataException(source, offset, problem);
    }

    private ByteBuffer need(int count, String field) throws DamagedDataException {
        if (bytes.remaining() < count) {
            throw new EndOfBytesException(source, offset(), bytes.remaining(), field, count);
        }
        return bytes;
    }
}
