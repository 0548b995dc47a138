// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.Copies;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.GroupReader;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.ShardScan;
import io.shredder.backup.agent.dispersal.home.OtherKeeperException;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Gives a keeper all that it should have and has not, of as many others as give everything back: a new one, which
 * counts once nothing is left, or one that was away while files were written. What is written to the store meanwhile
 * the keeper gets as the others do. So the store may be in use. One pass; what a pass could not give, such as the end
 * of a file that an agent's death left open, the next one may. For one thread.
 */
public final class Rebuild {

    private final DispersedStorage storage;
    private final Keepers keepers;
    private final Keeper keeper;
    private final Scrub.Progress progress;
    private final Map<String, Long> own = new HashMap<>();

    /** Longest length that another keeper has, by file. */
    private final Map<String, Long> others = new HashMap<>();

    private final List<String> left = new ArrayList<>();
    private volatile boolean stopped;
    private long files;
    private long doneBytes;
    private long totalBytes;

    /**
     * Of an open store, which the caller keeps.
     *
     * @param progress is told of bytes that were written, of those that are to be
     */
    public Rebuild(DispersedStorage storage, Keeper keeper, Scrub.Progress progress) {
        this.storage = storage;
        this.keepers = storage.keepers();
        this.keeper = keeper;
        this.progress = progress;
    }

    /** Makes a run end soon, from any thread: it throws {@link InterruptedIOException}. */
    public void stop() {
        stopped = true;
    }

    /**
     * Gives it what it lacks.
     *
     * @throws TooFewOthersException if a later pass may find more of them
     * @throws IOException if the keeper can't take anything, or another writer has come
     */
    public RebuildReport run() throws IOException {
        requireKeeper();
        if (keeper.isWhole() && storage.versions().lacking().files(keeper).isEmpty()) {
            return new RebuildReport(true, 0, 0, List.of());
        }
        if (!keeper.isWhole()) {
            left.addAll(storage.versions().doubts()); // It says nothing of them before it counts.
        }
        List<StoredVersion> lacking = lacking();
        for (StoredVersion version : lacking) {
            totalBytes += others.getOrDefault(version.file(), 0L);
        }
        keeper.fills(0, totalBytes);
        for (StoredVersion version : lacking) {
            give(version);
        }
        requireKeeper();
        if (left.isEmpty() && !keeper.isWhole()) {
            keeper.requireWriter(keepers.epoch());
            keeper.becomeWhole();
        }
        return new RebuildReport(left.isEmpty(), files, doneBytes, left);
    }

    private void requireKeeper() throws IOException {
        if (keepers.epoch() == 0) {
            throw new IOException("keeper " + keeper + " can't be filled: too few others are there");
        }
        if (!keeper.isThere() || !keeper.takesChanges()) {
            throw new IOException(
                    "keeper " + keeper + " failed a change, or went away: look after its disk, and begin" + " again");
        }
    }

    /** Versions that count and marks of deletion that the keeper has not, or not to their end. */
    private List<StoredVersion> lacking() throws IOException {
        Map<StoredVersion, Boolean> growing = growing();
        keeper.storage().list(StoredVersion.FOLDER).forEach(file -> own.put(file.name(), file.bytes()));
        Map<String, StoredVersion> marks = new TreeMap<>();
        int told = 0;
        for (Keeper other : keepers.all()) {
            if (other.index() != keeper.index() && list(other, marks)) {
                told++;
            }
        }
        // Of what somebody was told, one of so many others at least has all.
        if (told < keepers.dispersal().data()) {
            throw new TooFewOthersException("keeper " + keeper + " can't be filled: too few others say what they have");
        }
        List<StoredVersion> lacking = new ArrayList<>();
        for (StoredVersion version : storage.versions().all()) {
            if (!mayHaveAll(version)) {
                lacking.add(version);
            } else if (growing.getOrDefault(version, true) && getsAll(version)) {
                storage.versions().lacking().has(keeper.index(), version.name());
            }
        }
        for (StoredVersion mark : marks.values()) {
            if (!own.containsKey(mark.file()) && isGone(mark.name())) {
                lacking.add(mark);
            }
        }
        return lacking;
    }

    /** Of each version that is being appended to, whether the keeper gets all of it. */
    private Map<StoredVersion, Boolean> growing() {
        Map<StoredVersion, Boolean> growing = new HashMap<>();
        for (StoredVersion version : storage.versions().all()) {
            if (storage.growsAt(version).isPresent()) {
                growing.put(version, getsAll(version));
            }
        }
        return growing;
    }

    /** Whether the keeper gets all of a version if that is being appended to. */
    private boolean getsAll(StoredVersion version) {
        return storage.growsAt(version).map(holders -> holders.contains(keeper)).orElse(true);
    }

    /** Returns whether it could be. */
    private boolean list(Keeper other, Map<String, StoredVersion> marks) {
        List<StoredFile> listed;
        try {
            listed = other.storage().list(StoredVersion.FOLDER);
        } catch (IOException e) {
            other.tellSilent(e);
            return false;
        }
        for (StoredFile file : listed) {
            others.merge(file.name(), file.bytes(), Math::max);
            StoredVersion.parse(file.name())
                    .filter(version -> version.kind() == Kind.GONE)
                    .ifPresent(mark -> marks.merge(
                            mark.name(), mark, (one, another) -> one.compareTo(another) < 0 ? another : one));
        }
        return true;
    }

    private boolean isGone(String name) {
        try {
            return storage.versions().find(name).isEmpty();
        } catch (IOException e) {
            return false; // Doubtful, which is said already.
        }
    }

    /**
     * What this process writes the keeper gets as the others do, also if it began after the keeper was listed; were
     * it given besides, its writer would go on with a file that has no name any more.
     */
    private boolean mayHaveAll(StoredVersion version) {
        Long bytes = own.get(version.file());
        return storage.growsAt(version).isPresent()
                || (bytes != null && bytes >= others.getOrDefault(version.file(), 0L));
    }

    private void give(StoredVersion version) throws IOException {
        if (stopped) {
            throw new InterruptedIOException("stopped");
        }
        try {
            if (version.kind().isCoded() ? giveShard(version) : giveCopy(version)) {
                files++;
            }
        } catch (OtherKeeperException | InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            requireKeeper();
            if (DurableFiles.isFull(e)) {
                throw new IOException("keeper " + keeper + ": its disk is full", e);
            }
            if (isGone(version.name()) == (version.kind() == Kind.GONE)) {
                left.add(version.name() + ": " + e.getMessage());
            } // Else it was deleted meanwhile.
        }
    }

    private boolean giveCopy(StoredVersion version) throws IOException {
        ByteBuffer bytes = Copies.read(keepers, version);
        boolean[] given = {true};
        CopyCheck.mend(
                keepers,
                version,
                keeper,
                bytes,
                () -> given[0] = storage.versions().giveWhileItCounts(version, keeper, () -> keeper.finish(version)));
        wrote(bytes.remaining());
        return given[0];
    }

    private boolean giveShard(StoredVersion version) throws IOException {
        try (ShardScan shards = ShardScan.open(keepers, version)) {
            shards.requireEnough();
            List<Groups.Group> groups = storage.groups(version, shards).all();
            if (version.kind() == Kind.GROWING) {
                dropEnd(groups, new GroupReader(version, shards, storage.coder()));
            }
            if (own.getOrDefault(version.file(), 0L) >= shardBytes(groups)) {
                return storage.versions().giveWhileItCounts(version, keeper, () -> {}); // Others have a useless end.
            }
            return new ShardMending(storage, version, shards).mend(keeper, groups, this::wroteGroup);
        } catch (IOException e) {
            Optional<StoredVersion> now = storage.versions().find(version.name());
            if (now.equals(Optional.of(version)) || e instanceof InterruptedIOException) {
                throw e;
            }
            return false; // Another version took its place meanwhile, which the keeper got.
        }
    }

    private long shardBytes(List<Groups.Group> groups) {
        Groups all = new Groups();
        groups.forEach(all::add);
        return all.shardBytes(keepers.dispersal().keepers());
    }

    /** Leaves out what a process that died left at the end, which never counted. */
    private void dropEnd(List<Groups.Group> groups, GroupReader reader) throws IOException {
        int least = keepers.dispersal().leastToChange();
        while (!groups.isEmpty() && !reader.isSound(groups.get(groups.size() - 1), least)) {
            groups.remove(groups.size() - 1);
        }
    }

    private void wrote(int bytes) {
        doneBytes += bytes;
        keeper.fills(doneBytes, totalBytes);
        progress.at(doneBytes, totalBytes);
    }

    private void wroteGroup(int bytes) throws InterruptedIOException {
        if (stopped) {
            throw new InterruptedIOException("stopped");
        }
        wrote(bytes);
    }
}
