// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.keep.KeptName;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The folder that this process keeps, who holds it, and which epoch has written there. Thread-safe; what is changed,
 * whoever holds it changes.
 */
final class KeptFolder implements Closeable {

    /** No text of a writer could be read: nothing may be changed but that. */
    private static final int DAMAGED = -1;

    /** For which a holder's last requests may still be under way when it comes back over another connection. */
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final Path root;
    private final HeldHome home;
    private final Object lockKey;
    private @Nullable Holder holder;
    private volatile int epoch;

    /**
     * Who holds it.
     *
     * @param client by its certificate
     * @param id by its own word
     * @param peer where it connected from
     * @param cutOff ends its connection
     */
    record Holder(String client, UUID id, String peer, Instant since, Runnable cutOff) {

        boolean isSameAs(Holder other) {
            return client.equals(other.client) && id.equals(other.id);
        }
    }

    private KeptFolder(Path root, HeldHome home) throws IOException {
        this.root = root;
        this.home = home;
        this.lockKey = key(root);
    }

    /** Keeps other processes out of a folder that is there. */
    static KeptFolder open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder: make it, or mount its disk, and start again");
        }
        Path root = folder.toRealPath();
        HeldHome home = new LocalHome(root).hold();
        try {
            return new KeptFolder(root, home);
        } catch (IOException e) {
            home.close();
            throw e;
        }
    }

    /** Another one if another disk was mounted meanwhile, or this one is gone. */
    private static Object key(Path root) throws IOException {
        return Objects.requireNonNull(
                Files.readAttributes(root, BasicFileAttributes.class).fileKey());
    }

    LocalHome local() {
        return new LocalHome(root);
    }

    Path root() {
        return root;
    }

    HeldHome home() {
        return home;
    }

    Storage storage() {
        return home.storage();
    }

    /** Refuses the folder of another disk, which nobody has locked. */
    void requireSameDisk() throws IOException {
        try {
            if (key(root).equals(lockKey)) {
                return;
            }
        } catch (NoSuchFileException e) {
            throw new IOException(root + " isn't there any more", e);
        }
        throw new IOException(root + " is not the folder it was: a disk was mounted or taken away: start"
                + " 'backup-agent keep' again");
    }

    /** Refuses a name under which a link leads elsewhere. */
    void requireNoLink(KeptName name) throws IOException {
        Path path = root;
        for (String part : name.parts()) {
            path = path.resolve(part);
            requireNoLink(path);
        }
    }

    /** The same for a file that is replaced, which is written beside it first. */
    void requireNoLinkToReplace(KeptName name) throws IOException {
        requireNoLink(name);
        Path path = root.resolve(name.value());
        requireNoLink(path.resolveSibling(path.getFileName() + ".tmp"));
    }

    private static void requireNoLink(Path path) throws KeepRefusal {
        if (Files.isSymbolicLink(path)) {
            throw new KeepRefusal(ErrorCode.NOT_PERMITTED, path + " is a symbolic link, which a keeper doesn't follow");
        }
    }

    /**
     * Lets somebody hold it, if nobody does. The same one is let in at once, over another connection; the one before is
     * ended, and what it had under way. A writer after whom another one came doesn't end that one's.
     *
     * @param writer the epoch that it has begun; 0 if none
     */
    synchronized void hold(Holder next, int writer) throws IOException {
        requireSameDisk();
        int now = readEpoch();
        if (writer != 0 && writer < now) {
            throw otherWriter(now, writer);
        }
        long endNs = System.nanoTime() + LONGEST_END.toNanos();
        while (holder != null) {
            if (!holder.isSameAs(next)) {
                throw inUse(holder, "stop that one first");
            }
            long leftMs = (endNs - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw inUse(holder, "it is the same one, whose last request is still under way");
            }
            holder.cutOff().run();
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while another connection ended", e);
            }
        }
        epoch = readEpoch();
        holder = next;
    }

    private KeepRefusal inUse(Holder by, String remedy) {
        return new KeepRefusal(
                ErrorCode.IN_USE,
                "keeper " + root + " is held by " + by.client() + " (" + by.peer() + ") since " + by.since() + ": "
                        + remedy);
    }

    /** Nothing of this holder is under way any more. */
    synchronized void release(Holder last) {
        if (last.equals(holder)) {
            holder = null;
            notifyAll();
        }
    }

    private int readEpoch() throws IOException {
        try {
            return Keeper.epoch(local());
        } catch (NoSuchFileException e) {
            return 0;
        } catch (DamagedDataException e) {
            return DAMAGED;
        }
    }

    /** Refuses a change by a writer after whom another one came, or who has not said that it came. */
    void requireWriter(int writer) throws IOException {
        int now = epoch;
        if (now == DAMAGED) {
            throw new IOException(root.resolve(Keeper.WRITER) + " is damaged: 'backup-agent check-keepers --repair'");
        }
        if (writer != now) {
            throw otherWriter(now, writer);
        }
    }

    private KeepRefusal otherWriter(int now, int writer) {
        return new KeepRefusal(
                ErrorCode.OTHER_WRITER,
                "another agent has taken the store over: keeper " + root + " is in epoch " + now + ", not " + writer);
    }

    /** Notes durably that a writer has come, if none came after it. What is no keeper yet, anybody may make one. */
    void replaceWriter(ByteBuffer text) throws IOException {
        requireNoLinkToReplace(new KeptName(Keeper.WRITER));
        int writer;
        try {
            writer = Keeper.epochIn(Keeper.WRITER, text);
        } catch (IOException e) {
            throw new KeepRefusal(ErrorCode.INVALID, "no text of a writer: " + e.getMessage());
        }
        if (writer < epoch && home.has(Keeper.IDENTITY)) {
            throw otherWriter(epoch, writer);
        }
        storage().replace(Keeper.WRITER, text);
        epoch = writer;
    }

    /** Who holds it now. */
    synchronized Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }

    @Override
    public void close() throws IOException {
        home.close();
    }
}
