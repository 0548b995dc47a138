// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.damage;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A chunk whose copy at this place is damaged.
 *
 * @param fingerprint the chunk
 * @param location where its damaged copy is
 */
record DamageRecord(Fingerprint fingerprint, ChunkLocation location) {

    /** Length in the file. */
    static final int BYTES = Fingerprint.BYTES + ChunkLocation.BYTES + Integer.BYTES;

    private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

    ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        fingerprint.write(bytes);
        location.write(bytes);
        return bytes.putInt(crc(bytes, 0)).flip();
    }

    /** Reads the record at this offset of a file's bytes. */
    static DamageRecord read(ByteBuffer file, int at, String name) throws DamagedDataException {
        if (file.getInt(at + CHECKED_BYTES) != crc(file, at)) {
            throw new DamagedDataException(name, at + CHECKED_BYTES, "the record's CRC differs");
        }
        BodyReader in = new BodyReader(file.slice(at, CHECKED_BYTES), name, at);
        return new DamageRecord(in.fingerprint("chunk fingerprint"), ChunkLocation.read(in));
    }

    private static int crc(ByteBuffer bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, CHECKED_BYTES));
        return (int) crc.getValue();
    }
}
