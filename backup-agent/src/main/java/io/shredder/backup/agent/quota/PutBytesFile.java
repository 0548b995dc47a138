// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.quota;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A number in a file, old or new whole after a power loss: {@code docs/formats/putbytes.md}. One thread at a time. */
final class PutBytesFile {

    /** "SHRDPUTS". */
    private static final long MAGIC = 0x53485244_50555453L;

    private static final int BYTES = FileHeader.BYTES + Long.BYTES + Fingerprint.BYTES;

    private final Path file;
    private final FileHeader header;

    PutBytesFile(Path file, UUID repository) {
        this.file = file;
        this.header = new FileHeader(MAGIC, FileHeader.VERSION, 0, repository);
    }

    /** The number, 0 if there is no file. */
    long read() throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        String name = file.toString();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        header.check(bytes, name);
        if (bytes.limit() != BYTES) {
            throw new DamagedDataException(name, bytes.limit(), "it is not " + BYTES + " bytes long");
        }
        int digestAt = FileHeader.BYTES + Long.BYTES;
        if (!Fingerprint.ofData(bytes.slice(FileHeader.BYTES, Long.BYTES))
                .equals(Fingerprint.read(bytes.duplicate().position(digestAt)))) {
            throw new DamagedDataException(name, digestAt, "the number's digest differs");
        }
        return bytes.getLong(FileHeader.BYTES);
    }

    /** Replaces it, durably. */
    void write(long number) throws IOException {
        Path folder = DurableFiles.folderOf(file);
        DurableFiles.createFolders(DurableFiles.folderOf(folder), folder);
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES).putLong(number).flip();
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).put(header.encode()).put(value.duplicate());
        Fingerprint.ofData(value).write(bytes);
        Path temporary = file.resolveSibling(file.getFileName() + PutLedger.TEMPORARY);
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            DurableFiles.writeFully(channel, bytes.flip(), 0);
            channel.force(true);
        }
        DurableFiles.publish(temporary, file);
    }
}
