// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCode.Kind;

/**
 * Where what lies in the pieces of a file: everything follows from these four numbers. The file is cut into groups of
 * one cell a data shard. All groups but the last are full.
 *
 * @param data number of data shards
 * @param parity number of parity shards
 * @param cellBytes of a full group: a multiple of {@link #BLOCK_BYTES}, at most {@link #MOST_CELL_BYTES}
 * @param fileBytes length of the file
 */
record PieceLayout(int data, int parity, int cellBytes, long fileBytes) {

    /** Bytes that have a checksum of their own. */
    static final int BLOCK_BYTES = 64 << 10;

    static final int MOST_CELL_BYTES = 1 << 20;

    /** The last group's cells are rounded up to this. */
    private static final int ROUNDING_BYTES = 64;

    /** So that the cells of a group take at most 64 MiB. */
    private static final int MOST_SHARDS_OF_LONG_CELLS = 64;

    /** So that the offsets of pieces, parity and tables included, stay far from the end of what a long can say. */
    private static final long MOST_FILE_BYTES = 1L << 60;

    /** Refuses what no piece has. */
    PieceLayout {
        new ErasureCode(Kind.RS, data, parity);
        if (cellBytes < BLOCK_BYTES || cellBytes > MOST_CELL_BYTES || cellBytes % BLOCK_BYTES != 0) {
            throw new IllegalArgumentException("cells of " + cellBytes + " bytes");
        }
        if (fileBytes < 0 || fileBytes > MOST_FILE_BYTES) {
            throw new IllegalArgumentException("a file of " + fileBytes + " bytes");
        }
    }

    /** With the longest cells that leave a group within 64 MiB. */
    static PieceLayout of(int data, int parity, long fileBytes) {
        boolean few = data + parity <= MOST_SHARDS_OF_LONG_CELLS;
        return new PieceLayout(data, parity, few ? MOST_CELL_BYTES : MOST_CELL_BYTES / 4, fileBytes);
    }

    ErasureCode code() {
        return new ErasureCode(Kind.RS, data, parity);
    }

    int shards() {
        return data + parity;
    }

    private long groupBytes() {
        return (long) data * cellBytes;
    }

    long groups() {
        return (fileBytes + groupBytes() - 1) / groupBytes();
    }

    /** Where the group's bytes begin in the file. */
    long groupStart(long group) {
        return group * groupBytes();
    }

    /** How many bytes of the file the group has. */
    long bytesOf(long group) {
        return Math.min(groupBytes(), fileBytes - groupStart(group));
    }

    int cellBytesOf(long group) {
        long bytes = bytesOf(group);
        if (bytes == groupBytes()) {
            return cellBytes;
        }
        long share = (bytes + data - 1) / data;
        return (int) ((share + ROUNDING_BYTES - 1) / ROUNDING_BYTES * ROUNDING_BYTES);
    }

    /** How many of the file's bytes are in the cell of a data shard. */
    int fileBytesIn(long group, int shard) {
        long cell = cellBytesOf(group);
        return (int) Math.max(0, Math.min(cell, bytesOf(group) - shard * cell));
    }

    int blocksOf(long group) {
        return (cellBytesOf(group) + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    /** Where the group's cell begins in a piece. */
    long cellAt(long group) {
        return PieceHeader.BYTES + group * cellBytes;
    }

    /** Where the group's entry of the table begins in a piece. */
    long entryAt(long group) {
        return tableAt() + group * entryBytes(cellBytes / BLOCK_BYTES);
    }

    int entryBytesOf(long group) {
        return entryBytes(blocksOf(group));
    }

    private int entryBytes(int blocks) {
        return CellTable.bytes(shards(), blocks);
    }

    private long tableAt() {
        long groups = groups();
        return groups == 0 ? PieceHeader.BYTES : cellAt(groups - 1) + cellBytesOf(groups - 1);
    }

    /** Length of each piece. */
    long pieceBytes() {
        long groups = groups();
        return groups == 0 ? PieceHeader.BYTES : entryAt(groups - 1) + entryBytesOf(groups - 1);
    }
}
