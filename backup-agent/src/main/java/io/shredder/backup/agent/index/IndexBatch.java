// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.protocol.BodyReader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What one commit appends to the index log.
 *
 * <pre>
 *  0   4  magic "IBAT"
 *  4   4  number of entries, n
 *  8   4  covered: container
 * 12   4  covered: offset
 * 16   4  CRC32C of the 16 bytes above
 * 20      n entries of 48 bytes: fingerprint 32, container 4, offset 4, stored length 4, plain length 4
 *      4  CRC32C of the entries
 * </pre>
 *
 * @param entries what was put and removed, in order
 * @param covered up to where the containers are covered
 */
record IndexBatch(List<Entry> entries, ContainerPosition covered) {

    static final int HEAD_BYTES = 20;
    static final int MAX_ENTRIES = 1 << 16;
    static final int MAGIC = 0x49424154;
    private static final int ENTRY_BYTES = Fingerprint.BYTES + ChunkLocation.BYTES;
    private static final int CRC_BYTES = 4;

    /** A put, or a removal: its location is all zeros, and no container has number 0. */
    record Entry(Fingerprint fingerprint, ChunkLocation location) {

        private static final ChunkLocation NOWHERE = new ChunkLocation(0, 0, 0, 0);

        static Entry removal(Fingerprint fingerprint) {
            return new Entry(fingerprint, NOWHERE);
        }

        boolean isRemoval() {
            return location.container() == 0;
        }
    }

    ByteBuffer encode() {
        int entryBytes = entries.size() * ENTRY_BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + entryBytes + CRC_BYTES);
        bytes.putInt(MAGIC).putInt(entries.size()).putInt(covered.container()).putInt(covered.offset());
        bytes.putInt(crc(bytes.slice(0, HEAD_BYTES - CRC_BYTES)));
        for (Entry entry : entries) {
            entry.fingerprint().write(bytes);
            entry.location().write(bytes);
        }
        bytes.putInt(crc(bytes.slice(HEAD_BYTES, entryBytes)));
        return bytes.flip();
    }

    /** How many bytes follow the head at the position of {@code bytes}, which has {@link #HEAD_BYTES}. */
    static int tailBytes(ByteBuffer bytes, String file, long offset) throws DamagedDataException {
        ByteBuffer head = bytes.slice(bytes.position(), HEAD_BYTES);
        if (head.getInt(0) != MAGIC) {
            throw new DamagedDataException(file, offset, "no batch begins here");
        }
        if (head.getInt(HEAD_BYTES - CRC_BYTES) != crc(head.slice(0, HEAD_BYTES - CRC_BYTES))) {
            throw new DamagedDataException(
                    file, offset + HEAD_BYTES - CRC_BYTES, "the batch's head has another CRC32C");
        }
        int count = head.getInt(4);
        if (count < 0 || count > MAX_ENTRIES) {
            throw new DamagedDataException(
                    file, offset + 4, "a batch of " + Integer.toUnsignedString(count) + " entries");
        }
        return count * ENTRY_BYTES + CRC_BYTES;
    }

    /** Reads a batch from its head and tail, whose length is {@link #tailBytes}. */
    static IndexBatch read(ByteBuffer head, ByteBuffer tail, String file, long offset) throws DamagedDataException {
        int entryBytes = tail.remaining() - CRC_BYTES;
        if (tail.getInt(entryBytes) != crc(tail.slice(0, entryBytes))) {
            throw new DamagedDataException(
                    file, offset + HEAD_BYTES + entryBytes, "the batch's entries have another CRC32C");
        }
        BodyReader in = new BodyReader(tail.slice(0, entryBytes), file, offset + HEAD_BYTES);
        List<Entry> entries = new ArrayList<>(entryBytes / ENTRY_BYTES);
        while (in.remaining() > 0) {
            entries.add(new Entry(in.fingerprint("fingerprint"), ChunkLocation.read(in)));
        }
        return new IndexBatch(entries, new ContainerPosition(head.getInt(8), head.getInt(12)));
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
