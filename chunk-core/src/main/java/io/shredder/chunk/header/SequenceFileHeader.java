// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import java.nio.ByteBuffer;

/**
 * The header of a Hadoop SequenceFile: types of keys and values, compression, metadata, and the 16 random bytes of the
 * file's sync marker. Versions 4 to 6 are known, of which 6 is the only one written since Hadoop 0.13. Immutable.
 */
public final class SequenceFileHeader {

    /** Length of a sync marker. */
    public static final int MARKER_BYTES = 16;

    private static final int OLDEST_VERSION = 4;
    private static final int VERSION_WITH_CODEC_NAME = 5;
    private static final int VERSION_WITH_METADATA = 6;

    private final int length;
    private final boolean blockCompressed;
    private final byte[] marker;

    private SequenceFileHeader(int length, boolean blockCompressed, byte[] marker) {
        this.length = length;
        this.blockCompressed = blockCompressed;
        this.marker = marker;
    }

    /**
     * Parses a header.
     *
     * @param start the first bytes of the file, as many as there are; not consumed
     * @param file for errors
     * @throws IncompleteHeaderException if the header needs more of them
     * @throws DamagedDataException if this is not the start of a SequenceFile, or of one of an unknown version
     */
    public static SequenceFileHeader parse(ByteBuffer start, String file)
            throws IncompleteHeaderException, DamagedDataException {
        return HeaderStart.parse(start, file, SequenceFileHeader::read);
    }

    private static SequenceFileHeader read(FieldReader fields) throws DamagedDataException {
        byte[] magic = fields.take("the magic", 3);
        if (magic[0] != 'S' || magic[1] != 'E' || magic[2] != 'Q') {
            throw fields.damagedAt(0, "not a SequenceFile");
        }
        int version = fields.u8("the version");
        if (version < OLDEST_VERSION || version > VERSION_WITH_METADATA) {
            throw fields.damagedAt(
                    3,
                    "SequenceFile of version " + version + ", this program reads " + OLDEST_VERSION + " to "
                            + VERSION_WITH_METADATA);
        }
        skipString(fields);
        skipString(fields);
        long flags = fields.offset();
        boolean compressed = flag(fields, "compression");
        boolean blockCompressed = flag(fields, "block compression");
        if (blockCompressed && !compressed) {
            throw fields.damagedAt(flags, "blocks compressed in a file without compression");
        }
        if (compressed && version >= VERSION_WITH_CODEC_NAME) {
            skipString(fields);
        }
        if (version >= VERSION_WITH_METADATA) {
            skipMetadata(fields);
        }
        byte[] marker = fields.take("the marker", MARKER_BYTES);
        return new SequenceFileHeader((int) fields.offset(), blockCompressed, marker);
    }

    private static boolean flag(FieldReader fields, String name) throws DamagedDataException {
        int value = fields.u8(name);
        if (value != 0 && value != 1) {
            throw fields.damagedBefore(1, name + " is " + value + ", neither 0 nor 1");
        }
        return value == 1;
    }

    private static void skipMetadata(FieldReader fields) throws DamagedDataException {
        int entries = fields.i32("the number of entries of metadata");
        if (entries < 0) {
            throw fields.damagedBefore(4, entries + " entries of metadata");
        }
        for (int i = 0; i < entries; i++) {
            skipString(fields);
            skipString(fields);
        }
    }

    /** A string is its length in bytes, in Hadoop's variable-length form, and that many bytes. */
    private static void skipString(FieldReader fields) throws DamagedDataException {
        long offset = fields.offset();
        int first = (byte) fields.u8("a string's length");
        long length = first;
        if (first < -112) {
            int more = first >= -120 ? -112 - first : -120 - first;
            length = 0;
            for (int i = 0; i < more; i++) {
                length = length << 8 | fields.u8("a string's length");
            }
            length = first < -120 ? ~length : length;
        }
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw fields.damagedAt(offset, "a string of " + length + " bytes");
        }
        fields.skip("a string", (int) length);
    }

    /** In bytes; the first record, or sync marker, comes right after. */
    public int length() {
        return length;
    }

    /** Whether records stand in compressed blocks, each behind a sync marker, and not one by one. */
    public boolean blockCompressed() {
        return blockCompressed;
    }

    /** Byte {@code i} of the file's sync marker, 0 to 15. */
    public byte markerByte(int i) {
        return marker[i];
    }
}
