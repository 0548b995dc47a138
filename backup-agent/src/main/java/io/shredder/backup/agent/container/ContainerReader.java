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

    /** Room for the records of all but unusually long chunks. */
    private static final int SCRATCH_BYTES = 256 << 10;

    private final ContainerFolder folder;
    private int openNumber;
    private String openName = "";
    private @Nullable ReadableFile openFile;
    private ByteBuffer scratch = ByteBuffer.allocateDirect(0);

    /** Reads from this folder. */
    public ContainerReader(ContainerFolder folder) {
        this.folder = folder;
    }

    /**
     * A chunk's record without a look at its stored bytes, as views of the reader's memory: valid until it reads the next.
     *
     * @param fixed the fields before the stored bytes, as in messages
     * @param stored the stored bytes; nobody has digested them
     */
    public record Unproved(ByteBuffer fixed, ByteBuffer stored) {}

    /**
     * The chunk at this place. Its head and the digest of its stored bytes are checked.
     *
     * @throws DamagedDataException naming container, offset and chunk, if the record there is not this chunk's or is damaged
     */
    public StoredChunk read(Fingerprint expected, ChunkLocation location) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(RecordHead.BYTES + location.storedBytes());
        RecordHead head = read(expected, location, record);
        StoredChunk.Payload stored = new StoredChunk.Payload(record.array(), RecordHead.BYTES, location.storedBytes());
        StoredChunk chunk = head.with(stored, folder.name(location.container()), location.offset());
        try {
            chunk.check();
            return chunk;
        } catch (BadChunkException e) {
            throw new DamagedDataException(
                    folder.name(location.container()), location.offset(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * The record at this place. Only its head is checked: the stored bytes are for somebody who has the key to prove.
     *
     * @throws DamagedDataException as {@link #read} does, but for the stored bytes
     */
    public Unproved readUnproved(Fingerprint expected, ChunkLocation location) throws IOException {
        int recordBytes = RecordHead.BYTES + location.storedBytes();
        if (scratch.capacity() < recordBytes) {
            scratch = ByteBuffer.allocateDirect(Math.max(recordBytes, SCRATCH_BYTES));
        }
        ByteBuffer record = scratch.slice(0, recordBytes);
        read(expected, location, record);
        return new Unproved(
                record.slice(RecordHead.FIXED_AT, StoredChunk.FIXED_BYTES),
                record.slice(RecordHead.BYTES, location.storedBytes()));
    }

    /** Fills {@code record} from its start, and checks the head. */
    private RecordHead read(Fingerprint expected, ChunkLocation location, ByteBuffer record) throws IOException {
        try {
            RecordHead head = record(location, record);
            if (!head.fixed().ref().fingerprint().equals(expected)) {
                throw new DamagedDataException(
                        folder.name(location.container()),
                        location.offset(),
                        "chunk " + head.fixed().ref().fingerprint() + " is here");
            }
            return head;
        } catch (DamagedDataException e) {
            throw new DamagedDataException(
                    e.source(), e.offset(), e.problem() + " (while reading chunk " + expected + ")");
        }
    }

    private RecordHead record(ChunkLocation location, ByteBuffer record) throws IOException {
        try {
            file(location.container()).readFully(record, location.offset());
        } catch (EOFException e) {
            throw new DamagedDataException(
                    folder.name(location.container()),
                    location.offset() + record.position(),
                    "the container ends here");
        } catch (NoSuchFileException e) {
            throw new DamagedDataException(folder.name(location.container()), 0, "the container is missing");
        }
        RecordHead head = RecordHead.read(record.flip(), openName, location.offset());
        if (head.storedBytes() != location.storedBytes()) {
            throw new DamagedDataException(
                    openName,
                    location.offset() + Integer.BYTES,
                    head.storedBytes() + " stored bytes, not " + location.storedBytes());
        }
        return head;
    }

    private ReadableFile file(int container) throws IOException {
        if (openFile != null && openNumber == container) {
            return openFile;
        }
        close();
        String name = folder.name(container);
        ReadableFile opened = folder.storage().open(name);
        try {
            checkHeader(opened, container);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        openFile = opened;
        openNumber = container;
        openName = name;
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
