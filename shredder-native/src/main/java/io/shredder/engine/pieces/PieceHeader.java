// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The first bytes of a piece.
 *
 * @param set the pieces that belong together
 * @param index the piece's shard, from 0
 */
record PieceHeader(PieceSet set, int index) {

    static final int BYTES = 128;

    static final int VERSION = 1;

    private static final byte[] MAGIC = "SHRDCODE".getBytes(StandardCharsets.US_ASCII);
    private static final int ROOT_AT = 32;
    private static final int ZEROS_AT = ROOT_AT + Fingerprint.BYTES;
    private static final int CHECKSUM_AT = BYTES - Integer.BYTES;

    /** {@link #BYTES} bytes. */
    ByteBuffer encoded() {
        PieceLayout layout = set.layout();
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.put(MAGIC)
                .putInt(VERSION)
                .putShort((short) layout.data())
                .putShort((short) layout.parity())
                .putShort((short) index)
                .putShort((short) 0)
                .putInt(layout.cellBytes())
                .putLong(layout.fileBytes());
        set.root().write(bytes);
        bytes.putInt(CHECKSUM_AT, Checksums.crc(bytes.slice(0, CHECKSUM_AT)));
        return bytes.rewind();
    }

    /**
     * The header that these bytes are.
     *
     * @param file for messages
     * @param bytes the file's first ones, as many as there are up to {@link #BYTES}
     * @throws DamagedDataException if it is none, of an unknown version or damaged
     */
    static PieceHeader decoded(String file, ByteBuffer bytes) throws DamagedDataException {
        if (bytes.remaining() < BYTES) {
            throw new DamagedDataException(file, bytes.remaining(), "ends within the header");
        }
        FieldReader fields = new FieldReader(bytes.slice(0, BYTES), file, 0);
        if (!Arrays.equals(fields.take("the magic", MAGIC.length), MAGIC)) {
            throw fields.damagedAt(0, "isn't a piece of a coded file, or its magic is damaged");
        }
        if (bytes.getInt(CHECKSUM_AT) != Checksums.crc(bytes.slice(0, CHECKSUM_AT))) {
            throw fields.damagedAt(0, "the header's checksum is wrong");
        }
        int version = fields.i32("the version");
        if (version != VERSION) {
            throw fields.damagedBefore(4, "version " + version + " is unknown: only " + VERSION + " can be read");
        }
        long setAt = fields.offset();
        try {
            return ofSet(fields);
        } catch (IllegalArgumentException e) {
            throw fields.damagedAt(setAt, String.valueOf(e.getMessage()));
        }
    }

    private static PieceHeader ofSet(FieldReader fields) throws DamagedDataException {
        int data = fields.u16("the number of data shards");
        int parity = fields.u16("the number of parity shards");
        int index = fields.u16("the piece's number");
        fields.zeros(2, "a byte that must be zero");
        PieceLayout layout = new PieceLayout(data, parity, fields.i32("a cell's length"), fields.i64("the length"));
        if (index >= layout.shards()) {
            throw new IllegalArgumentException("piece " + index + " of " + layout.shards());
        }
        Fingerprint root = fields.fingerprint("the root");
        fields.zeros(CHECKSUM_AT - ZEROS_AT, "a byte that must be zero");
        return new PieceHeader(new PieceSet(layout, root), index);
    }
}
