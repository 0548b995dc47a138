// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import java.nio.ByteBuffer;

/**
 * The header of an Avro object container file: metadata, among them schema and codec, and the 16 random bytes of the
 * file's sync marker. Source: Avro specification 1.11, "Object Container Files". Immutable.
 */
public final class AvroHeader {

    /** Length of a sync marker. */
    public static final int MARKER_BYTES = 16;

    private static final int MAGIC = 0x4F62_6A01; // Obj, version 1

    private final int length;
    private final byte[] marker;

    private AvroHeader(int length, byte[] marker) {
        this.length = length;
        this.marker = marker;
    }

    /**
     * Parses a header.
     *
     * @param start the first bytes of the file, as many as there are; not consumed
     * @param file for errors
     * @throws IncompleteHeaderException if the header needs more of them
     * @throws DamagedDataException if this is not the start of an Avro container file of version 1
     */
    public static AvroHeader parse(ByteBuffer start, String file)
            throws IncompleteHeaderException, DamagedDataException {
        return HeaderStart.parse(start, file, AvroHeader::read);
    }

    private static AvroHeader read(FieldReader fields) throws DamagedDataException {
        if (fields.i32("the magic") != MAGIC) {
            throw fields.damagedAt(0, "not an Avro container file of version 1");
        }
        skipMetadata(fields);
        byte[] marker = fields.take("the marker", MARKER_BYTES);
        return new AvroHeader((int) fields.offset(), marker);
    }

    /** A map: blocks of entries, each behind their number; a negative number is followed by the block's length. */
    private static void skipMetadata(FieldReader fields) throws DamagedDataException {
        while (true) {
            long entries = number(fields);
            if (entries == 0) {
                return;
            }
            if (entries < 0) {
                skipLength(fields);
                continue;
            }
            for (long i = 0; i < 2 * entries; i++) {
                skipLength(fields);
            }
        }
    }

    /** Passes over a length and that many bytes. */
    private static void skipLength(FieldReader fields) throws DamagedDataException {
        long offset = fields.offset();
        long length = number(fields);
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw fields.damagedAt(offset, "a field of " + length + " bytes");
        }
        fields.skip("a field of metadata", (int) length);
    }

    /** A long in Avro's variable-length zig-zag form. */
    private static long number(FieldReader fields) throws DamagedDataException {
        long offset = fields.offset();
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = fields.u8("a number");
            value |= (b & 0x7FL) << shift;
            if (b < 0x80) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw fields.damagedAt(offset, "a number of more than 10 bytes");
    }

    /** In bytes; the first block comes right after. */
    public int length() {
        return length;
    }

    /** Byte {@code i} of the file's sync marker, 0 to 15. */
    public byte markerByte(int i) {
        return marker[i];
    }
}
