// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Appends regions to the last container. What was appended is durable after {@link #force}. One thread at a time, but for {@link #shows}.
 *
 * <p>A failed append leaves the container as it was: the next one starts at the same offset. Where the storage can't promise that, and after
 * a failed force, nothing is known about it any more, so every later call fails.
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

    private @Nullable AppendableFile file;
    private int notStartedBytes;
    private @Nullable IOException failure;

    /** Readers find what lies before; null if they find everything. */
    private volatile @Nullable ContainerPosition shown;

    /**
     * Goes on where the containers end.
     *
     * @param maxBytes when a container is full; a single region may be longer
     * @param end the end of the last container, or {@link ContainerPosition#START}
     */
    public ContainerWriter(ContainerFolder folder, int maxBytes, ContainerPosition end) throws IOException {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.number = end.container();
        this.end = end.offset();
        if (number > 0 && this.end > 0) {
            file = folder.storage().resume(folder.name(number), this.end).orElse(null);
        }
    }

    /** Whether this region begins a new container. */
    public boolean startsNewContainer(StoredRegion region) {
        return file == null
                || !file.canGrow()
                || (end > FileHeader.BYTES
                        && (long) end + RecordHead.BYTES + region.stored().length() > maxBytes);
    }

    /**
     * Appends a region whose digests have been checked. If it begins a new container, the last must have been forced.
     *
     * @return where each of its chunks is now
     */
    public Map<Fingerprint, ChunkLocation> append(StoredRegion region) throws IOException {
        checkUsable();
        if (startsNewContainer(region)) {
            create();
        }
        AppendableFile target = open();
        RecordHead.encodeRecord(region, record);
        int length = record.remaining();
        orFail(target, () -> target.append(record));
        Map<Fingerprint, ChunkLocation> places =
                ChunkLocation.of(region.chunks(), end(), region.stored().length());
        end += length;
        notStartedBytes += length;
        if (notStartedBytes >= maxBytes / BEHIND_PER_CONTAINER) {
            notStartedBytes = 0;
            orFail(target, target::writeBehind);
        }
        return places;
    }

    /** Makes all that was appended durable. */
    public void force() throws IOException {
        checkUsable();
        AppendableFile target = file;
        if (target != null) {
            orFail(target, target::force);
            noteShown(target);
        }
    }

    /** Whether readers find what is here; any thread may ask. Else it must be shown first. */
    public boolean shows(ChunkLocation location) {
        ContainerPosition end = shown;
        return end == null || location.position().compareTo(end) < 0;
    }

    /** Lets readers find all that was appended. */
    public void show() throws IOException {
        checkUsable();
        AppendableFile target = file;
        if (target != null) {
            orFail(target, target::show);
            noteShown(target);
        }
    }

    private void noteShown(AppendableFile target) {
        shown = target.showsAtOnce() ? null : end();
    }

    /** Begins a new container although the last has room. What was appended must have been forced. */
    public void leave() throws IOException {
        checkUsable();
        create();
    }

    /** Where the next region would go. */
    public ContainerPosition end() {
        return new ContainerPosition(number, end);
    }

    private AppendableFile open() throws IOException {
        if (file == null) {
            throw new IOException("no container is open");
        }
        return file;
    }

    /** The last one is closed first: of several that a crash could leave open, only the last is looked after. */
    private void create() throws IOException {
        closeFile();
        int next = number + 1;
        AppendableFile created =
                folder.storage().create(folder.name(next), folder.header(next).encode());
        file = created;
        number = next;
        end = FileHeader.BYTES;
        notStartedBytes = 0;
        noteShown(created);
    }

    private interface Step {
        void run() throws IOException;
    }

    private void orFail(AppendableFile target, Step step) throws IOException {
        try {
            step.run();
        } catch (IOException e) {
            if (!target.isSound()) {
                failure = e;
            }
            throw e;
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
        closeFile();
    }

    private void closeFile() throws IOException {
        AppendableFile open = file;
        if (open != null) {
            file = null;
            open.close();
        }
    }
}
