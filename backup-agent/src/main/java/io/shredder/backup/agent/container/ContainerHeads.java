// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Which chunks a container holds and where, by the heads of its records alone: far cheaper than {@link ContainerScan}.
 */
public final class ContainerHeads {

    /** One chunk of a record, or what the index says of one. */
    public record Entry(Fingerprint fingerprint, ChunkLocation location) {}

    private ContainerHeads() {}

    /**
     * All chunks of a container that nobody appends to any more, those of a record behind each other; released space is
     * passed over.
     *
     * @throws DamagedDataException naming the first head that is not whole
     */
    public static List<Entry> read(ContainerFolder folder, int container) throws IOException {
        String file = folder.name(container);
        List<Entry> entries = new ArrayList<>();
        try (ReadableFile opened = folder.storage().open(file)) {
            long size = opened.size();
            folder.header(container).check(bytes(opened, file, 0, FileHeader.BYTES), file);
            for (long at = ZeroRun.end(opened, FileHeader.BYTES, size); at < size; ) {
                RecordHead head = RecordHead.read(opened, file, at, size);
                head.places(container, Math.toIntExact(at))
                        .forEach((chunk, location) -> entries.add(new Entry(chunk, location)));
                at += recordBytes(head.storedBytes());
                if (at > size) {
                    throw new DamagedDataException(file, size, "ends inside a record");
                }
                at = ZeroRun.end(opened, at, size);
            }
        }
        return entries;
    }

    /** How much of a container a region takes. */
    public static long recordBytes(int storedBytes) {
        return (long) RecordHead.BYTES + storedBytes;
    }

    private static ByteBuffer bytes(ReadableFile opened, String file, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            opened.readFully(bytes, at);
        } catch (EOFException e) {
            throw new DamagedDataException(file, at + bytes.position(), "ends inside the header");
        }
        return bytes.flip();
    }
}
