// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

import io.shredder.chunk.DamagedDataException;
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
        HeaderCursor cursor = new HeaderCursor(start, file);
        byte[] magic = cursor.take(3);
        if (magic[0] != 'S' || magic[1] != 'E' || magic[2] != 'Q') {
            throw cursor.damaged(0, "not a SequenceFile");
        }
        int version = cursor.oneByte();
        if (version < OLDEST_VERSION || version > VERSION_WITH_METADATA) {
            throw cursor.damaged(
                    3,
                    "SequenceFile of version " + version + ", this program reads " + OLDEST_VERSION + " to "
                            + VERSION_WITH_METADATA);
        }
        skipString(cursor);
        skipString(cursor);
        int flags = cursor.position();
        boolean compressed = cursor.flag("compression");
        boolean blockCompressed = cursor.flag("block compression");
        if (blockCompressed && !compressed) {
            throw cursor.damaged(flags, "blocks compressed in a file without compression");
        }
        if (compressed && version >= VERSION_WITH_CODEC_NAME) {
            skipString(cursor);
        }
        if (version >= VERSION_WITH_METADATA) {
            skipMetadata(cursor);
        }
        byte[] marker = cursor.take(MARKER_BYTES);
        return new SequenceFileHeader(cursor.position(), blockCompressed, marker);
    }

    private static void skipMetadata(HeaderCursor cursor) throws IncompleteHeaderException, DamagedDataException {
        int offset = cursor.position();
        int entries = cursor.fourBytes();
        if (entries < 0) {
            throw cursor.damaged(offset, entries + " entries of metadata");
        }
        for (int i = 0; i < entries; i++) {
            skipString(cursor);
            skipString(cursor);
        }
    }

    /** A string is its length in bytes, in Hadoop's variable-length form, and that many bytes. */
    private static void skipString(HeaderCursor cursor) throws IncompleteHeaderException, DamagedDataException {
        int offset = cursor.position();
        int first = cursor.oneByte();
        long length = first;
        if (first < -112) {
            int more = first >= -120 ? -112 - first : -120 - first;
            length = 0;
            for (int i = 0; i < more; i++) {
                length = length << 8 | (cursor.oneByte() & 0xFF);
            }
            length = first < -120 ? ~length : length;
        }
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw cursor.damaged(offset, "a string of " + length + " bytes");
        }
        cursor.skip(length);
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
