// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/** An entry of a piece's table: what the cells of a group are. Immutable. */
final class CellTable {

    private static final int DIGEST_BYTES = 32;
    private static final int DIGESTS_AT = 16;

    /** SHA-256 of each shard's cell, back to back. */
    private final byte[] digests;

    /** CRC-32C of each {@link PieceLayout#BLOCK_BYTES} of the piece's own cell. */
    private final int[] blocks;

    private CellTable(byte[] digests, int[] blocks) {
        this.digests = digests;
        this.blocks = blocks;
    }

    /** Length of an entry. */
    static int bytes(int shards, int blocks) {
        return DIGESTS_AT + shards * DIGEST_BYTES + (blocks + 1) * Integer.BYTES;
    }

    /** The digests of a group's cells, back to back. */
    static byte[] digests(ByteBuffer[] cells) {
        ByteBuffer digests = ByteBuffer.allocate(cells.length * DIGEST_BYTES);
        for (ByteBuffer cell : cells) {
            digests.put(Checksums.sha256(cell));
        }
        return digests.array();
    }

    static CellTable of(byte[] digests, ByteBuffer ownCell) {
        int[] blocks = new int[(ownCell.remaining() + PieceLayout.BLOCK_BYTES - 1) / PieceLayout.BLOCK_BYTES];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = Checksums.crc(block(ownCell, i));
        }
        return new CellTable(digests, blocks);
    }

    private static ByteBuffer block(ByteBuffer cell, int block) {
        int from = block * PieceLayout.BLOCK_BYTES;
        int bytes = Math.min(PieceLayout.BLOCK_BYTES, cell.remaining() - from);
        return cell.slice(cell.position() + from, bytes);
    }

    boolean hasSameDigests(CellTable other) {
        return Arrays.equals(digests, other.digests);
    }

    void addTo(MessageDigest root) {
        root.update(digests);
    }

    /** Whether this is the cell of the shard. */
    boolean proves(int shard, ByteBuffer cell) {
        ByteBuffer expected = ByteBuffer.wrap(digests, shard * DIGEST_BYTES, DIGEST_BYTES);
        return expected.equals(ByteBuffer.wrap(Checksums.sha256(cell)));
    }

    /** Where the piece's own cell, which is as long as it should be, differs first by its checksums; 0 if nowhere. */
    int firstDamage(ByteBuffer ownCell) {
        for (int i = 0; i < blocks.length; i++) {
            if (blocks[i] != Checksums.crc(block(ownCell, i))) {
                return i * PieceLayout.BLOCK_BYTES;
            }
        }
        return 0;
    }

    ByteBuffer encoded(long group, int cellBytes) {
        int length = bytes(digests.length / DIGEST_BYTES, blocks.length);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.putLong(group).putInt(cellBytes).putInt(0).put(digests);
        for (int block : blocks) {
            bytes.putInt(block);
        }
        bytes.putInt(Checksums.crc(bytes.slice(0, length - Integer.BYTES)));
        return bytes.flip();
    }

    /** The entry of a group that these bytes are; empty if they are damaged, or another group's. */
    static Optional<CellTable> decoded(PieceLayout layout, long group, ByteBuffer bytes) {
        int checksumAt = bytes.remaining() - Integer.BYTES;
        if (bytes.getInt(checksumAt) != Checksums.crc(bytes.slice(0, checksumAt))
                || bytes.getLong(0) != group
                || bytes.getInt(8) != layout.cellBytesOf(group)
                || bytes.getInt(12) != 0) {
            return Optional.empty();
        }
        byte[] digests = new byte[layout.shards() * DIGEST_BYTES];
        bytes.get(DIGESTS_AT, digests);
        int[] blocks = new int[layout.blocksOf(group)];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = bytes.getInt(DIGESTS_AT + digests.length + i * Integer.BYTES);
        }
        return Optional.of(new CellTable(digests, blocks));
    }
}
