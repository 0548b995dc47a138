// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.CheckedText;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.LocalStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local folder that keeps one shard of everything. Locked while it is open. A keeper that failed a change misses
 * something from then on, so it gets no more of them until the store is opened again; it is still read. Safe for any
 * number of threads.
 */
public final class Keeper implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    public static final String IDENTITY = "keeper";
    public static final String WRITER = "writer";
    public static final String LOCK = "lock";

    private final int index;
    private final Path root;
    private final LocalStorage storage;
    private final FileChannel lock;
    private final Set<String> toldOf = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Trouble failed;
    private volatile @Nullable Trouble silent;
    private volatile boolean hushed;
    private volatile Filling filling = Filling.NONE;

    private volatile KeeperIdentity identity;

    private Keeper(int index, Path root, FileChannel lock, KeeperIdentity identity) {
        this.index = index;
        this.identity = identity;
        this.root = root;
        this.storage = new LocalStorage(root);
        this.lock = lock;
    }

    /** Why a keeper is not what it should be, since when. */
    record Trouble(Instant since, String why) {
        static Trouble now(IOException cause) {
            return new Trouble(Instant.now(), String.valueOf(cause.getMessage()));
        }
    }

    /** How far the filling of a new one is, since the store was opened. */
    record Filling(long doneBytes, long totalBytes) {
        static final Filling NONE = new Filling(0, 0);
    }

    /** Makes a keeper of an empty folder, which must be there. A crash before the end leaves none. */
    public static void make(Path root, KeeperIdentity identity, int epoch) throws IOException {
        Files.createDirectories(root.resolve(StoredVersion.FOLDER));
        mend(root, identity, epoch);
    }

    /** Writes anew which keeper a folder is, and who has written there. The folder must be locked. */
    public static void mend(Path root, KeeperIdentity identity, int epoch) throws IOException {
        try (LocalStorage storage = new LocalStorage(root)) {
            storage.replace(WRITER, ByteBuffer.wrap(writer(epoch)));
            storage.replace(IDENTITY, ByteBuffer.wrap(identity.encoded()));
        }
    }

    private static byte[] writer(int epoch) {
        return CheckedText.encoded("shredder-writer 1\nepoch " + epoch + "\n");
    }

    /** Which keeper a folder is; empty if none. */
    public static Optional<KeeperIdentity> identityOf(Path root) throws IOException {
        Path file = root.resolve(IDENTITY);
        return Files.exists(file)
                ? Optional.of(KeeperIdentity.decoded(file.toString(), Files.readAllBytes(file)))
                : Optional.empty();
    }

    /** Refuses a folder that is another keeper's. */
    public static KeeperIdentity requireIdentity(Path root, int index, Dispersal dispersal) throws IOException {
        KeeperIdentity identity =
                identityOf(root).orElseThrow(() -> new NoSuchFileException(root.resolve(IDENTITY) + " isn't there"));
        if (identity.place() != index || !identity.dispersal().equals(dispersal)) {
            throw new OtherKeeperException(root + " is " + identity + "; keeper " + index + " of store "
                    + dispersal.store() + ", " + dispersal.data() + " + " + dispersal.parity()
                    + ", was expected: correct the list of keepers");
        }
        return identity;
    }

    /** Opens one that is there, and locks it. */
    static Keeper open(Path root, int index, Dispersal dispersal) throws IOException {
        requireIdentity(root, index, dispersal);
        FileChannel channel = lock(root);
        try {
            Keeper keeper = new Keeper(index, root, channel, requireIdentity(root, index, dispersal));
            keeper.epoch();
            return keeper;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Keeps others out until it is closed. */
    public static FileChannel lock(Path root) throws IOException {
        FileChannel channel = FileChannel.open(root.resolve(LOCK), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        try {
            FileLock held = channel.tryLock();
            if (held == null) {
                channel.close();
                throw new OtherKeeperException("keeper " + root + " is in use by another agent: stop that one first");
            }
            return channel;
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new OtherKeeperException("keeper " + root + " is in use by this process already");
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    public int index() {
        return index;
    }

    public LocalStorage storage() {
        return storage;
    }

    /** What its folder says of it. */
    public KeeperIdentity identity() {
        return identity;
    }

    /**
     * Whether it has all that it should have, or had it once. Of what another one has not, nothing follows: it is a new
     * folder that is still being filled.
     */
    public boolean isWhole() {
        return identity.whole();
    }

    /** Notes durably which keepers were replaced. */
    void learn(Replacements replacements) throws IOException {
        note(identity.told(replacements));
    }

    /** Notes durably that it has all that it should have. */
    public void becomeWhole() throws IOException {
        note(identity.filled());
        LOG.info("keeper {} has everything now", this);
    }

    private void note(KeeperIdentity next) throws IOException {
        if (!next.equals(identity)) {
            storage.replace(IDENTITY, ByteBuffer.wrap(next.encoded()));
            identity = next;
        }
    }

    /** The highest epoch that has written here. */
    public int epoch() throws IOException {
        return epoch(root);
    }

    /** The highest epoch that has written to a folder. */
    public static int epoch(Path root) throws IOException {
        Path file = root.resolve(WRITER);
        List<String> lines = CheckedText.decoded(file.toString(), Files.readAllBytes(file))
                .lines()
                .toList();
        if (lines.size() != 2 || !lines.get(1).startsWith("epoch ")) {
            throw new IOException(file + " is of a version that is unknown: use the agent that wrote it");
        }
        return Integer.parseInt(lines.get(1).substring("epoch ".length()));
    }

    public void setEpoch(int epoch) throws IOException {
        storage.replace(WRITER, ByteBuffer.wrap(writer(epoch)));
    }

    /** Refuses a change by a writer after whom another one came. */
    public void requireWriter(int epoch) throws IOException {
        int now = epoch();
        if (now != epoch) {
            throw new OtherKeeperException("another agent has taken the store over: keeper " + root + " is in epoch "
                    + now + ", not " + epoch);
        }
    }

    /** Whether it gets changes. */
    public boolean takesChanges() {
        return failed == null;
    }

    /** The change that it failed, since which it gets no more. */
    Optional<Trouble> failed() {
        return Optional.ofNullable(failed);
    }

    /** Why it could not be read at some time since it was opened. */
    Optional<Trouble> silent() {
        return Optional.ofNullable(silent);
    }

    /** At how many places it was found to have something else than it was given. */
    long damagedPlaces() {
        return toldOf.size();
    }

    /** It was given so many bytes of what it lacks. */
    public void fills(long doneBytes, long totalBytes) {
        filling = new Filling(doneBytes, totalBytes);
    }

    Filling filling() {
        return filling;
    }

    /** Gives it no more changes. */
    public void drop(IOException cause) {
        if (failed == null) {
            failed = Trouble.now(cause);
            LOG.warn("keeper {} is left out until the store is opened again: {}", this, cause.getMessage());
        }
    }

    /** Says once of each place that a keeper has not what it was given. */
    public void tell(StoredVersion version, long offset, String problem) {
        String place = root.resolve(version.file()) + " at offset " + offset;
        if (toldOf.add(place) && !hushed) {
            LOG.warn("keeper {}: {}: {}", this, place, problem);
        }
    }

    /** Says no more of what is wrong here: who opened it says it better. */
    public void hush() {
        hushed = true;
    }

    /** Says once that it can't be read. */
    public void tellSilent(IOException problem) {
        if (silent == null) {
            silent = Trouble.now(problem);
            LOG.warn("keeper {} can't be read: {}", this, problem.getMessage());
        }
    }

    /** Whether it was found to have something else than it was given. */
    public boolean isDamaged() {
        return !toldOf.isEmpty();
    }

    /** Makes a whole file that begins to count when {@link #finish} gives it its name. */
    public void createPart(StoredVersion version, ByteBuffer bytes) throws IOException {
        try (AppendableFile part = begin(version.file() + StoredVersion.PART, bytes)) {
            part.force();
        }
    }

    /** Whether the folder is still a keeper's: an empty mount point is none. */
    public boolean isThere() {
        return Files.exists(root.resolve(IDENTITY));
    }

    /** Makes a file. */
    public AppendableFile begin(String file, ByteBuffer head) throws IOException {
        if (!isThere()) {
            throw new IOException("keeper " + root + " isn't there any more");
        }
        return storage.create(file, head);
    }

    /** Its folder. */
    public Path root() {
        return root;
    }

    /** Where a file lies. */
    public Path path(String file) {
        return root.resolve(file);
    }

    /** Takes a part away that shall not get its name. */
    public void removePart(StoredVersion version) {
        try {
            Files.deleteIfExists(root.resolve(version.file() + StoredVersion.PART));
        } catch (IOException e) {
            LOG.warn("keeper {}: a part of {} could not be deleted: {}", this, version, e.getMessage());
        }
    }

    /** Gives a forced part its name, and its time, as if it had been there since then. */
    public void finish(StoredVersion version, Instant modified) throws IOException {
        Files.setLastModifiedTime(root.resolve(version.file() + StoredVersion.PART), FileTime.from(modified));
        finish(version);
    }

    /** Gives a forced part its name. */
    public void finish(StoredVersion version) throws IOException {
        DurableFiles.publish(root.resolve(version.file() + StoredVersion.PART), root.resolve(version.file()));
    }

    @Override
    public String toString() {
        return index + " (" + root + ")";
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            storage.close();
        }
    }
}
