// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.OtherKeeperException;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which version of each file counts, by what keepers had when the store was opened and what was changed since. Safe for
 * any number of threads.
 */
public final class Versions {

    private static final Logger LOG = LoggerFactory.getLogger(Versions.class);

    private final Keepers keepers;
    private final ConcurrentSkipListMap<String, StoredVersion> current = new ConcurrentSkipListMap<>();

    /** By the names of which it can't be told which version counts. */
    private final ConcurrentSkipListMap<String, Doubt> doubtful = new ConcurrentSkipListMap<>();

    /** By their names, what keepers may have of versions before the one that counts. */
    private final Map<String, List<StoredVersion>> outdated = new ConcurrentHashMap<>();

    /** Keepers that didn't say what they have when the store was opened. */
    private final BitSet unlisted = new BitSet();

    private final Lacking lacking = new Lacking();

    private final Unsettled unsettled;

    /** Held shared by whoever makes another version count, so that nobody gives a keeper the one before it then. */
    private final ReentrantReadWriteLock counting = new ReentrantReadWriteLock();

    private Versions(Keepers keepers) {
        this.keepers = keepers;
        this.unsettled = new Unsettled(keepers, this);
    }

    /**
     * A version of which it can't be told whether it counts.
     *
     * @param why in words
     * @param before the newest version before it, if that can be read and is no mark of a deletion
     */
    public record Doubt(StoredVersion version, String why, Optional<StoredVersion> before) {}

    /** Lists all keepers. Where things may be changed, what counts no more is taken away, and copies are completed. */
    static Versions load(Keepers keepers) throws IOException {
        Versions versions = new Versions(keepers);
        Map<String, NavigableMap<StoredVersion, BitSet>> found = new TreeMap<>();
        Map<StoredVersion, Lacking.Longest> longest = new HashMap<>();
        for (Keeper keeper : keepers.all()) {
            for (StoredFile file : versions.listed(keeper)) {
                Optional<StoredVersion> version = StoredVersion.parse(file.name());
                if (version.isPresent()) {
                    found.computeIfAbsent(version.get().name(), name -> new TreeMap<>())
                            .computeIfAbsent(version.get(), each -> new BitSet())
                            .set(keeper.index(), Unfinished.hasSome(version.get(), file));
                    longest.computeIfAbsent(version.get(), each -> new Lacking.Longest())
                            .add(keeper, file.bytes());
                } else if (keepers.epoch() > 0 && file.name().endsWith(StoredVersion.PART)) {
                    Keepers.delete(keeper, file.name());
                }
            }
        }
        for (NavigableMap<StoredVersion, BitSet> ofName : found.values()) {
            versions.settle(ofName);
        }
        if (keepers.epoch() > 0) {
            Unfinished.cutEnds(keepers, versions.current.values(), longest);
        }
        versions.lacking.find(keepers, versions.current.values(), longest);
        return versions;
    }

    /** A keeper that can't be listed is left out; what the others have says enough. */
    private List<StoredFile> listed(Keeper keeper) {
        try {
            return keeper.storage().list(StoredVersion.FOLDER);
        } catch (IOException e) {
            keeper.drop(e);
            unlisted.set(keeper.index());
            return List.of();
        }
    }

    /**
     * Finds the version of a name that counts.
     *
     * @param found versions of one name, and which keepers have them
     */
    private void settle(NavigableMap<StoredVersion, BitSet> found) throws IOException {
        for (Map.Entry<StoredVersion, BitSet> each :
                new ArrayList<>(found.descendingMap().entrySet())) {
            StoredVersion version = each.getKey();
            if (counts(version, each.getValue()) && !wasNeverTold(version, found)) {
                if (version.kind() != Kind.GONE) {
                    current.put(version.name(), version);
                }
                settle(version, each.getValue(), found.headMap(version, false).keySet());
                return;
            }
            Optional<String> doubt = doubt(version, each.getValue());
            if (doubt.isPresent()) {
                Optional<StoredVersion> before = before(found.headMap(version, false));
                doubtful.put(version.name(), new Doubt(version, doubt.get(), before));
                outdated.put(
                        version.name(), List.copyOf(found.headMap(version, true).keySet()));
                LOG.warn("{}", doubt.get());
                return;
            }
            LOG.info("{} was never acknowledged", version);
            deleteQuietly(version);
        }
    }

    private boolean wasNeverTold(StoredVersion version, NavigableMap<StoredVersion, BitSet> found) throws IOException {
        int named = found.getOrDefault(version, new BitSet()).cardinality();
        return Unfinished.wasNeverTold(keepers, version, named, () -> found.headMap(version, false).entrySet().stream()
                .anyMatch(older -> counts(older.getKey(), older.getValue())));
    }

    /** The newest of these that can be read, if the file wasn't deleted since. */
    private Optional<StoredVersion> before(NavigableMap<StoredVersion, BitSet> older) {
        return older.descendingMap().entrySet().stream()
                .filter(each -> counts(each.getKey(), each.getValue()))
                .findFirst()
                .map(Map.Entry::getKey)
                .filter(version -> version.kind() != Kind.GONE);
    }

    private boolean counts(StoredVersion version, BitSet holders) {
        if (version.kind().isCoded()) {
            return holders.cardinality() >= keepers.dispersal().data();
        }
        if (holders.cardinality() < keepers.dispersal().leastToHave() && !mayBeAcknowledged(holders)) {
            return false;
        }
        if (version.kind() == Kind.GONE) {
            return true;
        }
        try {
            Copies.read(keepers, version);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether these, and those of which nothing follows, are enough for a copy, or a mark, to count. */
    private boolean mayBeAcknowledged(BitSet holders) {
        BitSet most = keepers.unknowing();
        most.or(unlisted);
        most.or(holders);
        return most.cardinality() >= keepers.dispersal().leastToChange();
    }

    /** Why somebody may have been told of a version that can't be read; nothing if nobody was. */
    private Optional<String> doubt(StoredVersion version, BitSet holders) throws IOException {
        if (!version.kind().isCoded()) {
            return holders.cardinality() >= keepers.dispersal().leastToHave() || mayBeAcknowledged(holders)
                    ? Optional.of(whyUnreadable(version))
                    : Optional.empty();
        }
        try (ShardScan shards = ShardScan.open(keepers, version)) {
            return shards.mayBeAcknowledged(holders.cardinality())
                    ? Optional.of(version.name() + " may be at more than the " + holders.cardinality()
                            + " keepers that are there: bring back keepers " + keepers.unknowing())
                    : Optional.empty();
        }
    }

    private String whyUnreadable(StoredVersion copy) {
        try {
            Copies.read(keepers, copy);
            return copy.name() + " could not be read when the store was opened: open it again";
        } catch (IOException e) {
            return copy.name() + " can be read at none of the keepers that are there, or not as most say: bring back"
                    + " others: " + e.getMessage();
        }
    }

    /** Takes versions before the one that counts away once it can lose a keeper; before, they are only remembered. */
    private void settle(StoredVersion version, BitSet holders, Collection<StoredVersion> older) throws IOException {
        if (!complete(version, holders)) {
            outdated.put(version.name(), List.copyOf(older));
            return;
        }
        older.forEach(this::deleteQuietly);
        if (version.kind() == Kind.GONE) {
            unsettled.forget(version);
        }
    }

    /** Gives copies to keepers that lack them; returns whether the version can lose a keeper. */
    private boolean complete(StoredVersion version, BitSet holders) throws IOException {
        int least = keepers.dispersal().leastToChange();
        if (keepers.epoch() == 0 || keepers.changeable().size() < least) {
            return false;
        }
        if (version.kind().isCoded()) {
            return holders.cardinality() >= least;
        }
        try {
            Copies.complete(keepers, version, holders);
            return true;
        } catch (OtherKeeperException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn("{} is not at all keepers that are there: {}", version, e.getMessage());
            return false;
        }
    }

    /** Takes away what counts no more; whoever is away keeps it until the store is opened with it. */
    void deleteQuietly(StoredVersion version) {
        if (keepers.epoch() > 0) {
            keepers.changeable().forEach(keeper -> Keepers.delete(keeper, version.file()));
        }
    }

    /** Files of which keepers have not all that they should, as far as is known. */
    public Lacking lacking() {
        return lacking;
    }

    /** A keeper that came back may lack some of a version, if that still counts. */
    public void mayLack(Keeper keeper, StoredVersion version) {
        meanwhileNoneCounts(() -> {
            if (version.equals(current.get(version.name()))) {
                lacking.lacks(keeper.index(), version.name());
            }
            return true;
        });
    }

    /** What is being written, and who comes back. */
    public Unsettled unsettled() {
        return unsettled;
    }

    /**
     * What keepers missed of a version, if it counts.
     *
     * @param holders those that have it, if they take changes
     */
    void noteMissed(StoredVersion version, Collection<Keeper> holders) {
        if (version.equals(current.get(version.name()))) {
            lacking.missed(version.name(), Keepers.members(holders), keepers.dispersal());
        }
    }

    /** Does it while no other version comes to count. */
    <T> T meanwhileNoneCounts(Supplier<T> what) {
        counting.writeLock().lock();
        try {
            return what.get();
        } finally {
            counting.writeLock().unlock();
        }
    }

    /** Whether it counts no more, and may be taken away from a keeper that still has it. */
    boolean isStale(StoredVersion version) {
        String name = version.name();
        boolean counts = version.kind() == Kind.GONE
                ? !current.containsKey(name)
                : version.equals(current.get(name))
                        || outdated.getOrDefault(name, List.of()).contains(version);
        return !counts && !doubtful.containsKey(name) && version.epoch() <= keepers.epoch();
    }

    /** The version that counts; empty if the file isn't there. */
    public Optional<StoredVersion> find(String name) throws IOException {
        Doubt doubt = doubtful.get(name);
        if (doubt != null) {
            throw new IOException(doubt.why());
        }
        return Optional.ofNullable(current.get(name));
    }

    StoredVersion get(String name) throws IOException {
        return find(name).orElseThrow(() -> new NoSuchFileException(name));
    }

    /** All in a folder. */
    List<StoredVersion> below(String folder) throws IOException {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        for (Map.Entry<String, Doubt> doubt : doubtful.tailMap(prefix).entrySet()) {
            if (doubt.getKey().startsWith(prefix)) {
                throw new IOException(doubt.getValue().why());
            }
        }
        return current.tailMap(prefix).values().stream()
                .takeWhile(version -> version.name().startsWith(prefix))
                .toList();
    }

    /**
     * This version counts from now on, and no other of its name.
     *
     * @param holders those that were to get it
     */
    void put(StoredVersion version, Collection<Keeper> holders) throws IOException {
        counting.readLock().lock();
        try {
            Optional<StoredVersion> last = find(version.name());
            lacking.forget(version.name());
            if (version.kind() == Kind.GONE) {
                current.remove(version.name());
            } else {
                current.put(version.name(), version);
                noteMissed(version, holders);
            }
            unsettled.ends(version);
            last.ifPresent(this::deleteQuietly);
            // Without them gone, one could count again once nothing newer is left, not even a mark.
            Optional.ofNullable(outdated.remove(version.name())).ifPresent(all -> all.forEach(this::deleteQuietly));
            if (version.kind() == Kind.GONE) {
                unsettled.forget(version);
            }
        } finally {
            counting.readLock().unlock();
        }
    }

    /** A last step by which a keeper gets a version. */
    @FunctionalInterface
    public interface Giving {
        void run() throws IOException;
    }

    /**
     * Does it if the version still counts, or is a mark that is still needed; no other one takes its place meanwhile.
     * Else the keeper would have something that nobody takes away from it.
     *
     * @param keeper that has all of the version then
     * @return whether it was done
     */
    public boolean giveWhileItCounts(StoredVersion version, Keeper keeper, Giving giving) throws IOException {
        counting.writeLock().lock();
        try {
            boolean counts = version.kind() == Kind.GONE
                    ? unsettled.needsMarks() && !current.containsKey(version.name())
                    : version.equals(current.get(version.name()));
            if (!counts) {
                return false;
            }
            giving.run();
            lacking.has(keeper.index(), version.name());
            return true;
        } finally {
            counting.writeLock().unlock();
        }
    }

    /** All that count now. */
    public List<StoredVersion> all() {
        return List.copyOf(current.values());
    }

    /** Of each name of which it can't be told which version counts, why. */
    public Collection<String> doubts() {
        return doubtful.values().stream().map(Doubt::why).toList();
    }

    /** What can't be told of a name; empty if all can. */
    public Optional<Doubt> doubt(String name) {
        return Optional.ofNullable(doubtful.get(name));
    }

    /** From now on the file is as if it were not there, until another version of it counts. */
    void dropDoubt(String name) {
        doubtful.remove(name);
    }
}
