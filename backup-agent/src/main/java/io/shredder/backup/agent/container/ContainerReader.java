// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks from containers. Keeps the last container open, since neighbours are asked for together. For one thread; may work
 * beside the {@link ContainerWriter} and other readers.
 */
public final class ContainerReader implements Closeable {

    private final ContainerFolder folder;
    private int openNumber;
    private @Nullable ReadableFile openFile;

    /** Reads from this folder. */
    public ContainerReader(ContainerFolder folder) {
        this.folder = folder;
    }

    /**
     * The chunk at this place. Its head and the digest of its stored bytes are checked.
     *
     * @throws DamagedDataException naming container, offset and chunk, if the record there is not this chunk's or is damaged
     */
    public StoredChunk read(Fingerprint expected, ChunkLocation location) throws IOException {
        try {
            StoredChunk chunk = record(location);
            if (!chunk.ref().fingerprint().equals(expected)) {
                throw new DamagedDataException(
                        folder.name(location.container()),
                        location.offset(),
                        "chunk " + chunk.ref().fingerprint() + " is here");
            }
            chunk.check();
            return chunk;
        } catch (DamagedDataException e) {
            throw new DamagedDataException(
                    e.source(), e.offset(), e.problem() + " (while reading chunk " + expected + ")");
        } catch (BadChunkException e) {
            throw new DamagedDataException(
                    folder.name(location.container()), location.offset(), String.valueOf(e.getMessage()));
        }
    }

    private StoredChunk record(ChunkLocation location) throws IOException {
        String file = folder.name(location.container());
        ByteBuffer record = ByteBuffer.allocate(RecordHead.BYTES + location.storedBytes());
        try {
            file(location.container()).readFully(record, location.offset());
        } catch (EOFException e) {
            throw new DamagedDataException(file, location.offset() + record.position(), "the container ends here");
        } catch (NoSuchFileException e) {
            throw new DamagedDataException(file, 0, "the container is missing");
        }
        RecordHead head = RecordHead.read(record.flip(), file, location.offset());
        if (head.storedBytes() != location.storedBytes()) {
            throw new DamagedDataException(
                    file,
                    location.offset() + Integer.BYTES,
                    head.storedBytes() + " stored bytes, not " + location.storedBytes());
        }
        StoredChunk.Payload stored = new StoredChunk.Payload(record.array(), RecordHead.BYTES, location.storedBytes());
        return head.with(stored, file, location.offset());
    }

    private ReadableFile file(int container) throws IOException {
        if (openFile != null && openNumber == container) {
            return openFile;
        }
        close();
        ReadableFile opened = folder.storage().open(folder.name(container));
        try {
            checkHeader(opened, container);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        openFile = opened;
        openNumber = container;
        return opened;
    }

    private void checkHeader(ReadableFile opened, int container) throws IOException {
        ByteBuffer header = ByteBuffer.allocate((int) Math.min(FileHeader.BYTES, opened.size()));
        opened.readFully(header, 0);
        folder.header(container).check(header.flip(), folder.name(container));
    }

    @Override
    public void close() throws IOException {
        if (openFile != null) {
            openFile.close();
            openFile = null;
        }
    }
}
