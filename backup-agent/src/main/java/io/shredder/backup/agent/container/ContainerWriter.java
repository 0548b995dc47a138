// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.protocol.WireFormat;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Appends chunks to the last container. What was appended is durable after {@link #force}. One thread at a time.
 *
 * <p>A failed append leaves the container as it was: the next one starts at the same offset. After a failed force nothing is known
 * about the disk any more, so every later call fails.
 */
public final class ContainerWriter implements Closeable {

    /** How often the disk is given what was appended while a container grows. */
    private static final int BEHIND_PER_CONTAINER = 4;

    private final ContainerFolder folder;
    private final int maxBytes;
    private int number;
    private int end;
    /** One record on its way to the file; outside the heap, where the system takes it from. */
    private final ByteBuffer record = ByteBuffer.allocateDirect(RecordHead.BYTES + WireFormat.MAX_STORED_BYTES);

    private final WriteBehind behind = new WriteBehind();

    private @Nullable FileChannel channel;
    private int notStartedBytes;
    private @Nullable IOException failure;

    /**
     * Goes on where the containers end.
     *
     * @param maxBytes when a container is full; one chunk may be longer
     * @param end the end of the last container, or {@link ContainerPosition#START}
     */
    public ContainerWriter(ContainerFolder folder, int maxBytes, ContainerPosition end) throws IOException {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.number = end.container();
        this.end = end.offset();
        if (number > 0 && this.end > 0) {
            channel = FileChannel.open(folder.path(number), StandardOpenOption.WRITE);
        }
    }

    /** Whether this chunk begins a new container. */
    public boolean startsNewContainer(StoredChunk chunk) {
        return channel == null
                || (end > FileHeader.BYTES
                        && (long) end + RecordHead.BYTES + chunk.stored().length() > maxBytes);
    }

    /** Appends a chunk whose digests have been checked. If it begins a new container, the last must have been forced. */
    public ChunkLocation append(StoredChunk chunk) throws IOException {
        checkUsable();
        if (startsNewContainer(chunk)) {
            create();
        }
        FileChannel target = open();
        RecordHead.encodeRecord(chunk, record);
        int length = record.remaining();
        try {
            DurableFiles.writeFully(target, record, end);
        } catch (IOException e) {
            cutBack(target, e);
            throw e;
        }
        ChunkLocation location = new ChunkLocation(
                number, end, chunk.stored().length(), chunk.ref().length());
        end += length;
        writeBehind(target, length);
        return location;
    }

    private void writeBehind(FileChannel target, int appendedBytes) throws IOException {
        notStartedBytes += appendedBytes;
        if (notStartedBytes >= maxBytes / BEHIND_PER_CONTAINER) {
            notStartedBytes = 0;
            try {
                behind.start(target);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }

    /** Makes all that was appended durable. */
    public void force() throws IOException {
        checkUsable();
        if (channel == null) {
            return;
        }
        try {
            behind.await();
            channel.force(false);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Begins a new container although the last has room. What was appended must have been forced. */
    public void leave() throws IOException {
        checkUsable();
        create();
    }

    /** Where the next chunk would go. */
    public ContainerPosition end() {
        return new ContainerPosition(number, end);
    }

    private FileChannel open() throws IOException {
        if (channel == null) {
            throw new IOException("no container is open");
        }
        return channel;
    }

    private void create() throws IOException {
        int next = number + 1;
        Path parent = folder.subfolder(next);
        DurableFiles.createFolders(folder.root(), parent);
        FileChannel created = FileChannel.open(
                folder.path(next),
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING);
        try {
            DurableFiles.writeFully(created, folder.header(next).encode(), 0);
            created.force(true);
            DurableFiles.forceFolder(parent);
        } catch (IOException e) {
            created.close();
            throw e;
        }
        closeChannel();
        channel = created;
        number = next;
        end = FileHeader.BYTES;
    }

    private void cutBack(FileChannel target, IOException cause) {
        try {
            target.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
            failure = cause;
        }
    }

    private void checkUsable() throws IOException {
        if (failure != null) {
            throw new IOException(
                    "containers can't be written since an earlier error; look after the disk and restart the agent: "
                            + failure.getMessage(),
                    failure);
        }
    }

    @Override
    public void close() throws IOException {
        behind.close();
        closeChannel();
    }

    private void closeChannel() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
