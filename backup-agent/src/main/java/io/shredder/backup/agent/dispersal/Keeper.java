// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.HomeInUseException;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.OtherKeeperException;
import io.shredder.backup.agent.dispersal.home.SignOfLife;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A home that keeps one shard of everything. Held while it is open. A keeper that failed a change misses something from
 * then on, so it gets no more of them; it is still read. If it comes back, it does so {@linkplain #anew() anew}, and
 * nothing that was begun before goes on there. Safe for any number of threads.
 */
public final class Keeper implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    public static final String IDENTITY = "keeper";
    public static final String WRITER = "writer";

    /** Of nine digits, as many as a text may have. */
    static final int LAST_EPOCH = 999_999_999;

    /** So many of its damaged places are remembered. */
    static final int MOST_PLACES = 10_000;

    private final int index;
    private final KeeperHome home;
    private final HeldHome held;
    private final Storage storage;
    private final Set<String> toldOf = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Trouble failed;
    private volatile @Nullable Trouble silent;
    private volatile boolean hushed;
    /** Whether the home itself refuses changes once another writer has come. */
    private volatile boolean homeChecksWriter;

    private volatile Filling filling = Filling.NONE;

    private volatile KeeperIdentity identity;

    private Keeper(int index, KeeperHome home, HeldHome held, KeeperIdentity identity) {
        this.index = index;
        this.identity = identity;
        this.home = home;
        this.held = held;
        this.storage = held.storage();
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

    /** Makes a keeper of an empty folder. A crash before the end leaves none. */
    public static void make(HeldHome held, KeeperIdentity identity, int epoch) throws IOException {
        held.makeFolder(StoredVersion.FOLDER);
        mend(held, identity, epoch);
    }

    /** Writes anew which keeper a folder is, and who has written there. */
    public static void mend(HeldHome held, KeeperIdentity identity, int epoch) throws IOException {
        held.storage().replace(WRITER, ByteBuffer.wrap(writer(epoch)));
        held.writesAs(epoch);
        held.storage().replace(IDENTITY, ByteBuffer.wrap(identity.encoded()));
    }

    private static byte[] writer(int epoch) {
        return CheckedText.encoded("shredder-writer 1\nepoch " + epoch + "\n");
    }

    /** Which keeper a folder is; empty if none. */
    public static Optional<KeeperIdentity> identityOf(KeeperHome home) throws IOException {
        Optional<ByteBuffer> bytes = home.read(IDENTITY);
        return bytes.isPresent()
                ? Optional.of(
                        KeeperIdentity.decoded(home.path(IDENTITY), bytes.get().array()))
                : Optional.empty();
    }

    /** Refuses a folder that is another keeper's. */
    public static KeeperIdentity requireIdentity(KeeperHome home, int index, Dispersal dispersal) throws IOException {
        KeeperIdentity identity =
                identityOf(home).orElseThrow(() -> new NoSuchFileException(home.path(IDENTITY) + " isn't there"));
        if (identity.place() != index || !identity.dispersal().equals(dispersal)) {
            throw new OtherKeeperException(home + " is " + identity + "; keeper " + index + " of store "
                    + dispersal.store() + ", " + dispersal.data() + " + " + dispersal.parity()
                    + ", was expected: correct the list of keepers");
        }
        return identity;
    }

    /** Opens one that is there, and holds it. */
    public static Keeper open(KeeperHome home, int index, Dispersal dispersal) throws IOException {
        requireIdentity(home, index, dispersal);
        HeldHome held = hold(home);
        try {
            Keeper keeper = new Keeper(index, home, held, requireIdentity(home, index, dispersal));
            keeper.endWriting(keeper.epoch());
            return keeper;
        } catch (IOException e) {
            held.close();
            throw e;
        }
    }

    /**
     * The same keeper, held as before, that takes changes. This one gets none any more.
     *
     * @throws IOException if it isn't there, or is another one now
     */
    public Keeper anew() throws IOException {
        if (takesChanges()) {
            throw new IllegalStateException("keeper " + this + " takes changes");
        }
        KeeperIdentity now = requireIdentity(home, index, identity.dispersal());
        if (now.since() != identity.since()) {
            throw new OtherKeeperException(home + " is another folder than it was: start the agent again");
        }
        Keeper anew = new Keeper(index, home, held, now);
        anew.toldOf.addAll(toldOf);
        anew.endWriting(epoch());
        return anew;
    }

    /** Ends what the last writer may have left open. Those before it were ended before it came. */
    private void endWriting(int lastEpoch) throws IOException {
        held.endWriting(StoredVersion.FOLDER, file -> StoredVersion.parse(file)
                .filter(version -> version.kind() == Kind.GROWING && version.epoch() >= lastEpoch)
                .isPresent());
    }

    /** Keeps others out until it is closed. */
    public static HeldHome hold(KeeperHome home) throws IOException {
        try {
            return home.hold();
        } catch (HomeInUseException e) {
            throw new OtherKeeperException(String.valueOf(e.getMessage()), e);
        }
    }

    public int index() {
        return index;
    }

    public Storage storage() {
        return storage;
    }

    /** Whether it answers again after it couldn't be asked, if such a thing is known. */
    SignOfLife signOfLife() {
        return held.signOfLife();
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
    public void learn(Replacements replacements) throws IOException {
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
        return epoch(home, storage.read(WRITER));
    }

    /** The highest epoch that has written to a folder. */
    public static int epoch(KeeperHome home) throws IOException {
        return epoch(home, home.read(WRITER));
    }

    private static int epoch(KeeperHome home, Optional<ByteBuffer> bytes) throws IOException {
        String file = home.path(WRITER);
        if (bytes.isEmpty()) {
            throw new NoSuchFileException(file);
        }
        return epochIn(file, bytes.get());
    }

    /**
     * The epoch that a text of {@link #WRITER} says.
     *
     * @param file where it is, for messages
     */
    public static int epochIn(String file, ByteBuffer bytes) throws IOException {
        byte[] text = new byte[bytes.remaining()];
        bytes.duplicate().get(text);
        List<String> lines = CheckedText.decoded(file, text).lines().toList();
        if (lines.size() != 2 || !lines.get(1).startsWith("epoch ")) {
            throw new IOException(file + " is of a version that is unknown: use the agent that wrote it");
        }
        String epoch = lines.get(1).substring("epoch ".length());
        if (!epoch.matches("[0-9]{1,9}")) {
            throw new DamagedDataException(file, 0, "no writer has such an epoch");
        }
        return Integer.parseInt(epoch);
    }

    public void setEpoch(int epoch) throws IOException {
        if (epoch() != epoch) {
            storage.replace(WRITER, ByteBuffer.wrap(writer(epoch)));
        }
        homeChecksWriter = held.writesAs(epoch);
    }

    /** Refuses a change by a writer after whom another one came. */
    public void requireWriter(int epoch) throws IOException {
        if (homeChecksWriter) {
            return; // With each change, and without a question of its own.
        }
        int now = epoch();
        if (now != epoch) {
            throw new OtherKeeperException("another agent has taken the store over: keeper " + home + " is in epoch "
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

    /** At how many places, of {@value #MOST_PLACES} at most, it was found to have something else than it was given. */
    public long damagedPlaces() {
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
            LOG.warn("keeper {} is left out until it takes changes again: {}", this, cause.getMessage());
        }
    }

    /** Says once of each place that a keeper has not what it was given. */
    public void tell(StoredVersion version, long offset, String problem) {
        String place = home.path(version.file()) + " at offset " + offset;
        if (toldOf.size() < MOST_PLACES && toldOf.add(place) && !hushed) {
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

    /** Makes a whole file that begins to count when {@link #finish} gives it its name. */
    public void createPart(StoredVersion version, ByteBuffer bytes) throws IOException {
        try (AppendableFile part = begin(part(version), bytes)) {
            part.force();
        }
    }

    /** Whether the folder is still a keeper's: an empty mount point is none. */
    public boolean isThere() {
        return held.has(IDENTITY);
    }

    /** Makes a file. */
    public AppendableFile begin(String file, ByteBuffer head) throws IOException {
        if (!isThere()) {
            throw new IOException("keeper " + home + " isn't there any more");
        }
        return storage.create(file, head);
    }

    /** Whether what is held is still what is there: a disk may have been taken out, and put in again. */
    public boolean isStillHeld() {
        return held.isStillThere();
    }

    /** Where it is. */
    public KeeperHome home() {
        return home;
    }

    /** Where a file lies, for messages. */
    public String path(String file) {
        return home.path(file);
    }

    private static String part(StoredVersion version) {
        return version.file() + StoredVersion.PART;
    }

    /** Takes a part away that shall not get its name. */
    public void removePart(StoredVersion version) {
        try {
            storage.delete(part(version));
        } catch (NoSuchFileException e) {
            return; // As it should be.
        } catch (IOException e) {
            LOG.warn("keeper {}: a part of {} could not be deleted: {}", this, version, e.getMessage());
        }
    }

    /** Gives a forced part its name, and its time, as if it had been there since then. */
    public void finish(StoredVersion version, Instant modified) throws IOException {
        held.setModified(part(version), modified);
        finish(version);
    }

    /** Gives a forced part its name. What was wrong with the file before is forgotten. */
    public void finish(StoredVersion version) throws IOException {
        held.rename(part(version), version.file());
        toldOf.removeIf(place -> place.startsWith(home.path(version.file()) + " at "));
    }

    @Override
    public String toString() {
        return index + " (" + home + ")";
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
