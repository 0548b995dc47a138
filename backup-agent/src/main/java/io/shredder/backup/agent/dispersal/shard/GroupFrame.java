// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What all keepers of a group have of it in common. The group's bytes are cut into as many cells as there are data
 * keepers, one after the other, with zeros behind; the others' cells are parity.
 *
 * @param cellBytes length of each cell, at least 1, a multiple of {@link #ROUNDING_BYTES}
 * @param group number of the group in its file, from 0
 * @param offset where the group's bytes begin in the file
 * @param bytes how many it has, at least 1
 * @param members keepers that were to get it
 * @param digests of all cells
 */
public record GroupFrame(
        int cellBytes, long group, long offset, int bytes, Members members, List<Fingerprint> digests) {

    /** Length of a full group's cells. */
    public static final int CELL_BYTES = 256 << 10;

    /** Bytes that have a checksum of their own. */
    public static final int BLOCK_BYTES = 64 << 10;

    public static final int ROUNDING_BYTES = 64;

    private static final int MAGIC = 0x4652414D; // "FRAM"
    private static final int BLOCKS = CELL_BYTES / BLOCK_BYTES;
    private static final int DIGESTS_AT = 32 + Members.BYTES;

    /** As a keeper has it: with the checksums of its own cell. */
    public record OfKeeper(GroupFrame frame, List<Integer> blocks) {

        /** Where the keeper's cell differs first by its checksums; empty if nowhere. */
        public Optional<Integer> firstDamage(ByteBuffer cell) {
            List<Integer> found = checksums(cell);
            for (int i = 0; i < blocks.size(); i++) {
                if (!blocks.get(i).equals(found.get(i))) {
                    return Optional.of(i * BLOCK_BYTES);
                }
            }
            return Optional.empty();
        }
    }

    /** Length of a group's cells. */
    public static int cellBytes(int data, int bytes) {
        int share = (bytes + data - 1) / data;
        return (share + ROUNDING_BYTES - 1) / ROUNDING_BYTES * ROUNDING_BYTES;
    }

    /** Length on disk, without the cell. */
    public static int headBytes(int keepers) {
        return DIGESTS_AT + keepers * Fingerprint.BYTES + (BLOCKS + 1) * Integer.BYTES;
    }

    public boolean proves(int keeper, ByteBuffer cell) {
        return digests.get(keeper).equals(Checks.cellDigest(cell));
    }

    /** Which of these keepers' cells are what was written. */
    public BitSet proved(Map<Integer, ByteBuffer> cells) {
        List<Integer> keepers = List.copyOf(cells.keySet());
        List<Fingerprint> found =
                Checks.cellDigests(keepers.stream().map(cells::get).toList());
        BitSet proved = new BitSet();
        for (int i = 0; i < found.size(); i++) {
            proved.set(keepers.get(i), digests.get(keepers.get(i)).equals(found.get(i)));
        }
        return proved;
    }

    private static List<Integer> checksums(ByteBuffer cell) {
        return Stream.iterate(0, i -> i + 1)
                .limit(BLOCKS)
                .map(i -> block(cell, i))
                .map(block -> block.hasRemaining() ? Checks.crc(block) : 0)
                .toList();
    }

    private static ByteBuffer block(ByteBuffer cell, int block) {
        int from = Math.min(block * BLOCK_BYTES, cell.remaining());
        return cell.slice(cell.position() + from, Math.min(BLOCK_BYTES, cell.remaining() - from));
    }

    /** The frame's head at the keeper that has this cell. */
    public ByteBuffer encoded(ByteBuffer cell) {
        ByteBuffer head = ByteBuffer.allocate(headBytes(digests.size()));
        head.putInt(MAGIC)
                .putInt(cellBytes)
                .putLong(group)
                .putLong(offset)
                .putInt(bytes)
                .putInt(0);
        members.write(head);
        digests.forEach(digest -> digest.write(head));
        checksums(cell).forEach(head::putInt);
        head.putInt(Checks.crc(head.slice(0, head.position())));
        return head.flip();
    }

    /** The frame that these bytes, {@link #headBytes}, are the head of; empty if they are none, or damaged. */
    public static Optional<OfKeeper> decoded(int data, int keepers, ByteBuffer head) {
        int checksumAt = headBytes(keepers) - Integer.BYTES;
        if (head.getInt(0) != MAGIC || head.getInt(checksumAt) != Checks.crc(head.slice(0, checksumAt))) {
            return Optional.empty();
        }
        int bytes = head.getInt(24);
        if (bytes < 1 || bytes > data * CELL_BYTES || head.getInt(4) != cellBytes(data, bytes)) {
            return Optional.empty();
        }
        ByteBuffer digests = head.slice(DIGESTS_AT, keepers * Fingerprint.BYTES);
        GroupFrame frame = new GroupFrame(
                head.getInt(4),
                head.getLong(8),
                head.getLong(16),
                bytes,
                Members.read(head.slice(32, Members.BYTES)),
                Stream.generate(() -> Fingerprint.read(digests)).limit(keepers).toList());
        List<Integer> blocks = Stream.iterate(DIGESTS_AT + keepers * Fingerprint.BYTES, at -> at + Integer.BYTES)
                .limit(BLOCKS)
                .map(head::getInt)
                .toList();
        return Optional.of(new OfKeeper(frame, blocks));
    }
}
