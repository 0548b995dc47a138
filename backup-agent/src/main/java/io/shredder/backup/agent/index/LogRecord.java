// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A commit, or a part of a large one, as it stands in a log segment.
 *
 * <pre>
 *  0   4  magic "ILOG"
 *  4   4  number of entries, n
 *  8   8  number of the commit in this segment, from 1, ascending; the nonce with the next
 * 16   4  part of the commit, from 0
 * 20   4  1 if it is the commit's last part, else 0
 * 24      sealed, bytes 0 to 23 authenticated with it: covered container 4 and offset 4, n entries of 48 bytes
 *     16  tag
 * </pre>
 *
 * @param commit number of the commit
 * @param part of it
 * @param last whether the commit ends here
 * @param body entries of this part, and what the commit covers
 */
record LogRecord(long commit, int part, boolean last, LogCommit body) {

    static final int MAGIC = 0x494C4F47;
    static final int HEAD_BYTES = 24;
    static final int MAX_ENTRIES = 2048;
    private static final int COVERED_BYTES = 8;

    ByteBuffer encode(Sealing sealing) {
        byte[] plain = new byte[COVERED_BYTES + body.entries().size() * IndexEntry.BYTES];
        ByteBuffer fill = ByteBuffer.wrap(plain)
                .putInt(body.covered().container())
                .putInt(body.covered().offset());
        body.entries().forEach(entry -> entry.write(fill));
        byte[] record = new byte[HEAD_BYTES + plain.length + Sealing.TAG_BYTES];
        ByteBuffer.wrap(record)
                .putInt(MAGIC)
                .putInt(body.entries().size())
                .putLong(commit)
                .putInt(part)
                .putInt(last ? 1 : 0);
        byte[] clear = java.util.Arrays.copyOf(record, HEAD_BYTES);
        sealing.seal(commit, part, clear, new Sealing.Piece(plain, 0, plain.length), record, HEAD_BYTES);
        return ByteBuffer.wrap(record);
    }

    /** How long the record is whose head this is. */
    static int length(byte[] head, String file, long offset) throws DamagedDataException {
        ByteBuffer fields = ByteBuffer.wrap(head);
        if (fields.getInt(0) != MAGIC) {
            throw new DamagedDataException(file, offset, "no record begins here");
        }
        int count = fields.getInt(4);
        if (count < 0 || count > MAX_ENTRIES) {
            throw new DamagedDataException(
                    file, offset + 4, "a record of " + Integer.toUnsignedString(count) + " entries");
        }
        return HEAD_BYTES + COVERED_BYTES + count * IndexEntry.BYTES + Sealing.TAG_BYTES;
    }

    /** Reads a whole record, whose length is {@link #length}. */
    static LogRecord read(byte[] record, Sealing sealing, String file, long offset) throws DamagedDataException {
        ByteBuffer fields = ByteBuffer.wrap(record);
        long commit = fields.getLong(8);
        int part = fields.getInt(16);
        byte[] plain = new byte[record.length - HEAD_BYTES - Sealing.TAG_BYTES];
        byte[] clear = java.util.Arrays.copyOf(record, HEAD_BYTES);
        Sealing.Piece sealed = new Sealing.Piece(record, HEAD_BYTES, record.length - HEAD_BYTES);
        if (!sealing.open(commit, part, clear, sealed, plain, 0)) {
            throw new DamagedDataException(file, offset, "the record is not as it was sealed");
        }
        ByteBuffer body = ByteBuffer.wrap(plain);
        ContainerPosition covered = new ContainerPosition(body.getInt(), body.getInt());
        List<IndexEntry> entries = new ArrayList<>(fields.getInt(4));
        while (body.hasRemaining()) {
            entries.add(IndexEntry.read(body, file, offset));
        }
        return new LogRecord(commit, part, fields.getInt(20) == 1, new LogCommit(entries, covered));
    }
}
