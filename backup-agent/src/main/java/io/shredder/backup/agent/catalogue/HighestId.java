// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The highest snapshot id that was ever deleted: an id never comes back, so whoever has written one down can't meet another snapshot under
 * it. {@value #BYTES} bytes: {@code docs/formats/snapshot.md}. Not safe for several threads.
 */
final class HighestId {

    private static final int BYTES = 24;
    private static final long MAGIC = 0x53485244_4D415849L; // "SHRDMAXI"
    private static final int VERSION = 1;

    private final Path file;
    private long value;

    private HighestId(Path file, long value) {
        this.file = file;
        this.value = value;
    }

    /** Reads the file; an absent one says 0. */
    static HighestId open(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new HighestId(file, 0);
        }
        String name = String.valueOf(file.getFileName());
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.capacity() != BYTES) {
            throw new DamagedDataException(
                    name, bytes.capacity(), "it has " + bytes.capacity() + " bytes, not " + BYTES);
        }
        if (bytes.getLong(0) != MAGIC) {
            throw new DamagedDataException(name, 0, "another file's magic");
        }
        if (bytes.getInt(BYTES - 4) != crc(bytes)) {
            throw new DamagedDataException(name, BYTES - 4, "it has another CRC32C");
        }
        if (bytes.getInt(8) != VERSION) {
            throw new DamagedDataException(
                    name, 8, "version " + bytes.getInt(8) + ", this program reads version 1: upgrade it");
        }
        return new HighestId(file, bytes.getLong(12));
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
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            DurableFiles.writeFully(channel, bytes.flip(), 0);
            channel.force(true);
        }
        DurableFiles.publish(temporary, file);
        value = id;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, BYTES - 4));
        return (int) crc.getValue();
    }
}
