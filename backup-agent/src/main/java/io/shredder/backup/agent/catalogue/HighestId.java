// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The highest snapshot id that was ever deleted: an id never comes back, so whoever has written one down can't meet
 * another snapshot under it. {@value #BYTES} bytes: {@code docs/formats/snapshot.md}. Raised by one thread at a time,
 * read by any.
 */
final class HighestId {

    private static final String FILE = "highest-id";
    private static final int BYTES = 24;
    private static final long MAGIC = 0x53485244_4D415849L; // "SHRDMAXI"
    private static final int VERSION = 1;

    private final Storage storage;
    private volatile long value;

    private HighestId(Storage storage, long value) {
        this.storage = storage;
        this.value = value;
    }

    /** Reads the file; an absent one says 0. */
    static HighestId open(Storage storage) throws IOException {
        Optional<ByteBuffer> read = storage.read(FILE);
        return new HighestId(storage, read.isPresent() ? parse(read.get()) : 0);
    }

    private static long parse(ByteBuffer bytes) throws DamagedDataException {
        if (bytes.capacity() != BYTES) {
            throw new DamagedDataException(
                    FILE, bytes.capacity(), "it has " + bytes.capacity() + " bytes, not " + BYTES);
        }
        if (bytes.getLong(0) != MAGIC) {
            throw new DamagedDataException(FILE, 0, "another file's magic");
        }
        if (bytes.getInt(BYTES - 4) != crc(bytes)) {
            throw new DamagedDataException(FILE, BYTES - 4, "it has another CRC32C");
        }
        if (bytes.getInt(8) != VERSION) {
            throw new DamagedDataException(
                    FILE, 8, "version " + bytes.getInt(8) + ", this program reads version 1: upgrade it");
        }
        return bytes.getLong(12);
    }

    long value() {
        return value;
    }

    /** Remembers an id, durably, unless a higher one is remembered. */
    void raise(long id) throws IOException {
        if (id <= value) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(MAGIC).putInt(VERSION).putLong(id).putInt(crc(bytes));
        storage.replace(FILE, bytes.flip());
        value = id;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, BYTES - 4));
        return (int) crc.getValue();
    }
}
