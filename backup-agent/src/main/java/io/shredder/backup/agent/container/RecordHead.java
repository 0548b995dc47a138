// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.protocol.BodyReader;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What precedes the stored bytes of a chunk in a container, {@value #BYTES} bytes.
 *
 * <pre>
 *  0   4  magic "CHNK"
 *  4   4  stored length
 *  8  32  identity of the chunk
 * 40  32  SHA-256 of the stored bytes
 * 72   4  plain length
 * 76   1  codec
 * 77   3  zero
 * 80   4  CRC32C of the 80 bytes above
 * </pre>
 *
 * @param storedBytes how many bytes follow
 * @param fixed identity, codec and digest of the chunk
 */
record RecordHead(int storedBytes, StoredChunk.Fixed fixed) {

    static final int BYTES = 84;

    /** Where the fields begin that messages have, too. */
    static final int FIXED_AT = 8;

    private static final int MAGIC = 0x43484E4B;
    private static final int CRC_AT = 80;

    /** Writes the head and stored bytes of a chunk as one record into {@code record}, from its start, and makes it ready to be read. */
    static void encodeRecord(StoredChunk chunk, ByteBuffer record) {
        record.clear();
        record.putInt(MAGIC).putInt(chunk.stored().length());
        chunk.writeFixed(record);
        record.putInt(crc(record));
        chunk.stored().write(record);
        record.flip();
    }

    /** Reads {@link #BYTES} bytes at the position of {@code bytes}. */
    static RecordHead read(ByteBuffer bytes, String file, long offset) throws DamagedDataException {
        if (bytes.remaining() < BYTES) {
            throw new DamagedDataException(file, offset + bytes.remaining(), "ends inside the head of a chunk");
        }
        ByteBuffer head = bytes.slice(bytes.position(), BYTES);
        if (head.getInt(0) != MAGIC) {
            throw new DamagedDataException(file, offset, "no chunk begins here");
        }
        if (head.getInt(CRC_AT) != crc(head)) {
            throw new DamagedDataException(file, offset + CRC_AT, "the chunk's head has another CRC32C");
        }
        BodyReader in = new BodyReader(head.position(4).limit(CRC_AT), file, offset + 4);
        return new RecordHead(in.length("stored length", WireFormat.MAX_STORED_BYTES), StoredChunk.Fixed.read(in));
    }

    /** Joins the stored bytes. Their digest is not checked here. */
    StoredChunk with(StoredChunk.Payload stored, String file, long offset) throws DamagedDataException {
        return fixed.with(new BodyReader(ByteBuffer.allocate(0), file, offset + BYTES), stored);
    }

    private static int crc(ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(record.slice(0, CRC_AT));
        return (int) crc.getValue();
    }
}
