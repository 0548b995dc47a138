// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.KeeperFolders;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks every byte that the keepers of a store have, and mends it if asked to. The keepers are locked meanwhile, so no
 * agent runs. Each shard or copy is replaced by a rename, once it is forced and was read again: a crash leaves the old
 * one or the new one, and a part that the next start takes away. For one thread.
 */
public final class Scrub implements Closeable {

    private final DispersalConfig config;
    private final DispersedStorage storage;
    private final boolean mends;
    private final List<KeeperFinding> identities;

    private Scrub(DispersalConfig config, DispersedStorage storage, boolean mends, List<KeeperFinding> identities) {
        this.config = config;
        this.storage = storage;
        this.mends = mends;
        this.identities = identities;
    }

    /** Is told how far a scrub is, by its own thread, often. */
    @FunctionalInterface
    public interface Progress {
        /** So many bytes of about so many have been read, all keepers' together. */
        void at(long doneBytes, long totalBytes);
    }

    /**
     * Opens a store that was made before.
     *
     * @param mends whether to mend; else nothing at all is changed
     * @throws IOException if there are too few keepers to read, or, to mend, to keep other writers out; or if one is
     *     another's or in another's hands
     */
    public static Scrub open(DispersalConfig config, boolean mends) throws IOException {
        List<KeeperFinding> identities = KeeperIdentities.check(config, mends);
        Keepers keepers = KeeperFolders.openMade(config, mends);
        try {
            Dispersal dispersal = keepers.dispersal();
            if (mends && keepers.epoch() == 0) {
                throw new IOException("only " + keepers.all().size() + " of " + dispersal.keepers()
                        + " keepers are there and " + dispersal.leastToTakeOver()
                        + " are needed to mend anything: bring more back, or only check");
            }
            keepers.all().forEach(Keeper::hush);
        } catch (IOException | RuntimeException e) {
            keepers.close();
            throw e;
        }
        return new Scrub(config, DispersedStorage.open(config, keepers), mends, identities);
    }

    /** Checks everything once. */
    public ScrubReport run(Progress progress) throws IOException {
        Keepers keepers = storage.keepers();
        Map<String, StoredVersion> newest = new TreeMap<>();
        Map<String, Long> sizes = new TreeMap<>();
        Map<Integer, String> silent = new TreeMap<>();
        for (Keeper keeper : keepers.all()) {
            try {
                list(keeper, newest, sizes);
            } catch (IOException e) {
                silent.put(keeper.index(), String.valueOf(e.getMessage()));
            }
        }
        ScrubTally tally = new ScrubTally(
                mends,
                progress,
                sizes.values().stream().mapToLong(Long::longValue).sum());
        tally.found(identities);
        silent.forEach(tally::away);
        keepers.away().stream().forEach(index -> tally.away(index, whyAway(index)));
        for (StoredVersion version : newest.values()) {
            check(version, tally);
        }
        for (Keeper keeper : keepers.all()) {
            fill(keeper, tally);
        }
        return tally.report(keepers.dispersal().keepers());
    }

    /** Lets a new keeper count that lacks nothing any more. */
    private void fill(Keeper keeper, ScrubTally tally) {
        if (keeper.isWhole()) {
            return;
        }
        String why = "type replace-keeper, or start the agent, which goes on with it";
        try {
            if (mends && new Rebuild(storage, keeper, (done, total) -> {}).run().whole()) {
                return;
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        tally.filling(keeper.index(), why);
    }

    private String whyAway(int index) {
        boolean damaged = identities.stream().anyMatch(each -> each.keeper() == index && !each.mended());
        return damaged
                ? config.keepers().get(index) + " is damaged in what says which keeper it is"
                : storage.keepers().whyAway(index);
    }

    private static void list(Keeper keeper, Map<String, StoredVersion> newest, Map<String, Long> sizes)
            throws IOException {
        for (StoredFile file : keeper.storage().list(StoredVersion.FOLDER)) {
            Optional<StoredVersion> version = StoredVersion.parse(file.name());
            if (version.isPresent()) {
                newest.merge(
                        version.get().name(), version.get(), (one, other) -> one.compareTo(other) < 0 ? other : one);
                sizes.merge(file.name(), file.bytes(), Long::sum);
            }
        }
    }

    /**
     * Checks the version of a name that counts.
     *
     * @param newest of the name; a mark counts if no other does
     */
    private void check(StoredVersion newest, ScrubTally tally) throws IOException {
        Optional<StoredVersion> counts;
        try {
            counts = storage.versions().find(newest.name());
        } catch (IOException e) {
            tally.unreadable(String.valueOf(e.getMessage()));
            return;
        }
        StoredVersion version = counts.orElse(newest);
        if (version.kind().isCoded() && counts.isPresent()) {
            ShardCheck.run(storage, version, tally);
        } else if (version.kind() == Kind.COPY && counts.isPresent()) {
            new CopyCheck(storage.keepers(), version, storage.lastModified(version.name()), tally).run();
        } else if (version.kind() == Kind.GONE) {
            new CopyCheck(storage.keepers(), version, Instant.now(), tally).run();
        }
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
