// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.bytes;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Reads big-endian fields in turn, and refuses damage with its source and offset. Not safe for several threads. */
public final class BodyReader {

    private final ByteBuffer bytes;
    private final String source;
    private final long base;

    /**
     * @param bytes read from its position to its limit
     * @param source the peer or file they came from, for errors
     * @param offset where in the source they begin, for errors
     */
    public BodyReader(ByteBuffer bytes, String source, long offset) {
        this.bytes = bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.source = source;
        this.base = offset - bytes.position();
    }

    /** One unsigned byte. */
    public int u8(String field) throws DamagedDataException {
        return Byte.toUnsignedInt(need(1, field).get());
    }

    /** Two bytes, unsigned. */
    public int u16(String field) throws DamagedDataException {
        return Short.toUnsignedInt(need(2, field).getShort());
    }

    /** Four bytes that must be from 0 to {@code max}. */
    public int length(String field, int max) throws DamagedDataException {
        int value = need(4, field).getInt();
        if (value < 0 || value > max) {
            throw damagedBefore(4, field + " " + Integer.toUnsignedString(value) + " is above " + max);
        }
        return value;
    }

    /** Eight bytes that must not be negative. */
    public long u63(String field) throws DamagedDataException {
        long value = need(8, field).getLong();
        if (value < 0) {
            throw damagedBefore(8, field + " " + Long.toUnsignedString(value) + " is out of range");
        }
        return value;
    }

    /** Four bytes of any value. */
    public int i32(String field) throws DamagedDataException {
        return need(4, field).getInt();
    }

    /** Eight bytes of any value. */
    public long i64(String field) throws DamagedDataException {
        return need(8, field).getLong();
    }

    /** Sixteen bytes. */
    public UUID uuid(String field) throws DamagedDataException {
        return new UUID(i64(field), i64(field));
    }

    /** Bytes that must all be 0. */
    public void zeros(int count, String field) throws DamagedDataException {
        need(count, field);
        for (int i = 0; i < count; i++) {
            if (bytes.get() != 0) {
                throw damagedBefore(1, field + " is not zero");
            }
        }
    }

    /** A fingerprint. */
    public Fingerprint fingerprint(String field) throws DamagedDataException {
        return Fingerprint.read(need(Fingerprint.BYTES, field));
    }

    /** A parameter block. */
    public ChunkingParams params() throws DamagedDataException {
        return ChunkingParams.read(bytes, source, offset());
    }

    /** A two-byte length and that many bytes of UTF-8. */
    public String text(String field) throws DamagedDataException {
        int length = u16(field);
        if (length > Texts.MAX_BYTES) {
            throw damagedBefore(2, field + " of " + length + " bytes is longer than " + Texts.MAX_BYTES);
        }
        ByteBuffer text = need(length, field).slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw damagedBefore(length, field + " is not UTF-8");
        }
    }

    /** All bytes that are left, in a new array. */
    public byte[] rest() {
        byte[] rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    /** That many bytes without a copy: a view, whose array has them if the bytes that are read have one. */
    public ByteBuffer view(String field, int count) throws DamagedDataException {
        ByteBuffer taken = need(count, field).slice(bytes.position(), count);
        bytes.position(bytes.position() + count);
        return taken;
    }

    /** A reader of bytes that end where this one stands, with the same source. */
    public BodyReader over(ByteBuffer last) {
        return new BodyReader(last, source, offset() - last.remaining());
    }

    /** That many bytes, unread. */
    public SealedBytes sealed(String field, int count) throws DamagedDataException {
        byte[] taken = new byte[count];
        need(count, field).get(taken);
        return new SealedBytes(taken);
    }

    /** How many bytes are left. */
    public int remaining() {
        return bytes.remaining();
    }

    /** Where in the source the next byte is. */
    public long offset() {
        return base + bytes.position();
    }

    /** Refuses bytes after the last field. */
    public void end() throws DamagedDataException {
        if (bytes.hasRemaining()) {
            throw damaged(bytes.remaining() + " bytes follow the last field");
        }
    }

    /** An error about the next byte. */
    public DamagedDataException damaged(String problem) {
        return new DamagedDataException(source, offset(), problem);
    }

    private DamagedDataException damagedBefore(int back, String problem) {
        return new DamagedDataException(source, offset() - back, problem);
    }

    private ByteBuffer need(int count, String field) throws DamagedDataException {
        if (bytes.remaining() < count) {
            throw new DamagedDataException(source, base + bytes.limit(), "ends inside " + field);
        }
        return bytes;
    }
}
