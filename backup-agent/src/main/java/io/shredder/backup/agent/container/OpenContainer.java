// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A container that is appended to. For whoever has taken it of {@link ContainerWriters}, one thread at a time, but for
 * {@link #end} and {@link #shows}.
 *
 * <p>A failed append leaves the container as it was: the next one starts at the same offset. Where the storage can't
 * promise that, and after a failed force, nothing is known about it any more, so every later call fails.
 */
public final class OpenContainer {

    /**
     * Of however short chunks: what goes through a container, as a collection does, has all of them in memory. Of
     * chunks of a usual length a container has some thousands.
     */
    static final int MOST_CHUNKS = 1 << 16;

    /** How often the disk is given what was appended while a container grows. */
    private static final int BEHIND_PER_CONTAINER = 4;

    private final ContainerWriters owner;
    private final int number;
    private final int maxBytes;
    private @Nullable AppendableFile file;
    private volatile int end = FileHeader.BYTES;
    private int forcedEnd = FileHeader.BYTES;
    private int notStartedBytes;

    /** Since this process opened it. */
    private int chunks;

    /** Readers find what lies before; beyond every end if they find everything. */
    private volatile int shownEnd;

    // Guarded by the owner.
    boolean taken;
    boolean retired;
    boolean forced;

    /** One that is about to be made, taken by who makes it. */
    OpenContainer(ContainerWriters owner, int number, int maxBytes) {
        this.owner = owner;
        this.number = number;
        this.maxBytes = maxBytes;
        this.taken = true;
    }

    /** Its number. */
    int number() {
        return number;
    }

    /**
     * Makes the file.
     *
     * @param isForced whether it is durable when this returns, also where a storage makes it so by a force alone
     * @throws java.nio.file.FileAlreadyExistsException if it is there already, of another process
     */
    void create(ContainerFolder folder, boolean isForced) throws IOException {
        file = folder.storage()
                .create(folder.name(number), folder.header(number).encode());
        if (!Objects.requireNonNull(file).beganDurably()) {
            forcedEnd = 0;
        }
        noteShown();
        if (isForced) {
            forceFirst();
        }
    }

    private void forceFirst() throws IOException {
        try {
            force();
        } catch (IOException | RuntimeException e) {
            try {
                close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /** Goes on with a file that ends here, durably. */
    void resume(AppendableFile resumed, int at) {
        file = resumed;
        end = at;
        forcedEnd = at;
        shownEnd = Integer.MAX_VALUE;
    }

    /** Whether the storage lets it grow. */
    boolean canGrow() {
        return file != null && file.canGrow();
    }

    /** Whether a record of this region belongs here, not into another container. */
    boolean hasRoom(StoredRegion region) {
        return canGrow()
                && (end <= FileHeader.BYTES
                        || ((long) end + RecordHead.BYTES + region.stored().length() <= maxBytes
                                && chunks + region.chunks().size() <= MOST_CHUNKS));
    }

    /**
     * Appends a region whose digests have been checked.
     *
     * @param partly whether some of its chunks are kept elsewhere
     * @return where each of its chunks is now
     */
    public Map<Fingerprint, ChunkLocation> append(StoredRegion region, boolean partly) throws IOException {
        AppendableFile target = usableFile();
        int length = RecordHead.BYTES + region.stored().length();
        orFail(
                target,
                () -> target.append(
                        RecordHead.encode(region, partly), region.stored().view()));
        Map<Fingerprint, ChunkLocation> places =
                ChunkLocation.of(region.chunks(), end(), region.stored().length());
        int before = end; // Nobody else changes it.
        end = before + length;
        chunks += places.size();
        notStartedBytes += length;
        if (notStartedBytes >= maxBytes / BEHIND_PER_CONTAINER) {
            notStartedBytes = 0;
            orFail(target, target::writeBehind);
        }
        return places;
    }

    /** Whether anything is to be forced. */
    boolean isDirty() {
        return end != forcedEnd;
    }

    /** Has a {@link #force} begin that takes a while by itself. */
    void beginForce() {
        AppendableFile target = file;
        if (target != null && isDirty()) {
            target.beginForce();
        }
    }

    /** Makes all that was appended durable. */
    void force() throws IOException {
        if (isDirty()) {
            AppendableFile target = usableFile();
            orFail(target, target::force);
            forcedEnd = end;
            noteShown();
        }
    }

    /** Whether readers find what is here; any thread may ask. Else it must be shown first. */
    boolean shows(int offset) {
        return offset < shownEnd;
    }

    /** Lets readers find all that was appended. */
    void show() throws IOException {
        AppendableFile target = usableFile();
        orFail(target, target::show);
        noteShown();
    }

    private void noteShown() {
        shownEnd = Objects.requireNonNull(file).showsAtOnce() ? Integer.MAX_VALUE : end;
    }

    /** Where the next region would go; any thread may ask. */
    ContainerPosition end() {
        return new ContainerPosition(number, end);
    }

    private interface Step {
        void run() throws IOException;
    }

    private void orFail(AppendableFile target, Step step) throws IOException {
        try {
            step.run();
        } catch (IOException e) {
            if (!target.isSound()) {
                owner.fail(e);
            }
            throw e;
        }
    }

    private AppendableFile usableFile() throws IOException {
        owner.checkUsable();
        if (file == null) {
            throw new IOException("container " + number + " is not open");
        }
        return file;
    }

    void close() throws IOException {
        AppendableFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
