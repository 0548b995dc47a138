// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.deletion;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What one namespace's clients asked for, old or new whole after a power loss: {@code docs/formats/pending.md}. One
 * thread at a time.
 */
final class PendingFile {

    /** "SHRDPEND". */
    private static final long MAGIC = 0x53485244_50454E44L;

    private static final int CRC_BYTES = 4;
    private static final int MAX_REQUESTS = 65_536;

    /** No name of a namespace has it. */
    private static final String TEMPORARY = "~";

    private final Path file;
    private final FileHeader header;

    PendingFile(Path file, UUID repository) {
        this.file = file;
        this.header = new FileHeader(MAGIC, FileHeader.VERSION, 0, repository);
    }

    /**
     * What the file says.
     *
     * @param lastId that was given to a request
     * @param requests in the order of ids, withdrawn ones among them
     */
    record Contents(long lastId, List<PendingRequest> requests) {}

    /** Reads it; a file that isn't there says that nothing was ever asked for. */
    Contents read() throws IOException {
        if (!Files.exists(file)) {
            return new Contents(0, List.of());
        }
        String name = file.toString();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        header.check(bytes, name);
        int end = bytes.limit() - CRC_BYTES;
        if (end < FileHeader.BYTES) {
            throw new DamagedDataException(name, bytes.limit(), "ends before its CRC32C");
        }
        if (bytes.getInt(end) != crc(bytes.slice(FileHeader.BYTES, end - FileHeader.BYTES))) {
            throw new DamagedDataException(name, end, "it has another CRC32C");
        }
        BodyReader in = new BodyReader(bytes.slice(FileHeader.BYTES, end - FileHeader.BYTES), name, FileHeader.BYTES);
        long lastId = in.u63("last request id");
        int count = in.length("count", MAX_REQUESTS);
        List<PendingRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(PendingRequest.read(in));
        }
        in.end();
        return new Contents(lastId, requests);
    }

    /** Replaces it, durably. */
    void write(Contents contents) throws IOException {
        Path folder = DurableFiles.folderOf(file);
        DurableFiles.createFolders(DurableFiles.folderOf(folder), folder);
        int length = Long.BYTES
                + Integer.BYTES
                + contents.requests().stream()
                        .mapToInt(PendingRequest::encodedBytes)
                        .sum();
        ByteBuffer bytes = ByteBuffer.allocate(FileHeader.BYTES + length + CRC_BYTES);
        bytes.put(header.encode())
                .putLong(contents.lastId())
                .putInt(contents.requests().size());
        contents.requests().forEach(request -> request.write(bytes));
        bytes.putInt(crc(bytes.slice(FileHeader.BYTES, length)));
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            DurableFiles.writeFully(channel, bytes.flip(), 0);
            channel.force(true);
        }
        DurableFiles.publish(temporary, file);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
