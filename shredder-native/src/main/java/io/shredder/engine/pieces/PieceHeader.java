// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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
    private static final int VERSION_AT = 8;
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
        if (bytes.slice(0, MAGIC.length).mismatch(ByteBuffer.wrap(MAGIC)) >= 0) {
            throw new DamagedDataException(file, 0, "isn't a piece of a coded file, or its magic is damaged");
        }
        if (bytes.getInt(CHECKSUM_AT) != Checksums.crc(bytes.slice(0, CHECKSUM_AT))) {
            throw new DamagedDataException(file, 0, "the header's checksum is wrong");
        }
        int version = bytes.getInt(VERSION_AT);
        if (version != VERSION) {
            throw new DamagedDataException(
                    file, VERSION_AT, "version " + version + " is unknown: only " + VERSION + " can be read");
        }
        try {
            return fields(bytes);
        } catch (IllegalArgumentException e) {
            throw new DamagedDataException(file, VERSION_AT + Integer.BYTES, String.valueOf(e.getMessage()));
        }
    }

    private static PieceHeader fields(ByteBuffer bytes) {
        int data = bytes.getShort(12);
        int parity = bytes.getShort(14);
        int index = bytes.getShort(16);
        PieceLayout layout = new PieceLayout(data, parity, bytes.getInt(20), bytes.getLong(24));
        if (index < 0 || index >= layout.shards()) {
            throw new IllegalArgumentException("piece " + index + " of " + layout.shards());
        }
        if (bytes.getShort(18) != 0 || !isZero(bytes.slice(ZEROS_AT, CHECKSUM_AT - ZEROS_AT))) {
            throw new IllegalArgumentException("bytes that must be zero are not");
        }
        Fingerprint root = Fingerprint.read(bytes.slice(ROOT_AT, Fingerprint.BYTES));
        return new PieceHeader(new PieceSet(layout, root), index);
    }

    private static boolean isZero(ByteBuffer bytes) {
        return bytes.mismatch(ByteBuffer.allocate(bytes.remaining())) < 0;
    }
}
