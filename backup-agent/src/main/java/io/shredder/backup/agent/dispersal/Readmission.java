// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets keepers take part again that were away when the store was opened, or that failed a change since. What such a
 * keeper has and should not have any more is taken away; what it lacks is noted, and for others to give. One that was
 * taken back is, for the rest of the store, as if it had been there at the opening. For one thread.
 */
public final class Readmission {

    private static final Logger LOG = LoggerFactory.getLogger(Readmission.class);

    /** The longest pause between two tries, in times of the first. */
    private static final int MOST_PAUSES = 30;

    private final DispersedStorage storage;
    private final Keepers keepers;
    private final List<KeeperHome> homes;
    private final Duration pause;
    private final Map<Integer, Tries> tries = new HashMap<>();

    /**
     * Tries nothing yet.
     *
     * @param homes of all keepers, in the order of places
     * @param pause after a first try; each further one comes after twice as long, up to {@value #MOST_PAUSES} times
     */
    public Readmission(DispersedStorage storage, List<KeeperHome> homes, Duration pause) {
        this.storage = storage;
        this.keepers = storage.keepers();
        this.homes = List.copyOf(homes);
        this.pause = pause;
    }

    /**
     * What became of tries with a keeper.
     *
     * @param why the last one failed, as was said; empty if it didn't
     */
    private record Tries(long lastNs, long pauseNs, String why) {}

    /** Tries it with those whose turn it is. */
    public void run() {
        for (int place = 0; place < homes.size(); place++) {
            Optional<Keeper> known = keepers.get(place);
            if (!known.map(Keeper::takesChanges).orElse(false) && isDue(place)) {
                tryIt(place, known);
            }
        }
    }

    private boolean isDue(int place) {
        Tries last = tries.get(place);
        return last == null || System.nanoTime() - last.lastNs() >= last.pauseNs();
    }

    private void tryIt(int place, Optional<Keeper> known) {
        long nowNs = System.nanoTime();
        Tries last = tries.getOrDefault(place, new Tries(nowNs, pause.toNanos() / 2, ""));
        long mostNs = pause.toNanos() * MOST_PAUSES;
        boolean isLongAgo = nowNs - last.lastNs() > 2 * mostNs;
        long nextNs = isLongAgo ? pause.toNanos() : Math.min(mostNs, 2 * last.pauseNs());
        String why = "";
        try {
            readmit(place, known);
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
            if (!(e instanceof NoSuchFileException) && !why.equals(last.why())) {
                LOG.warn("keeper {} ({}) is not taken back: {}", place, homes.get(place), why);
            }
        }
        tries.put(place, new Tries(System.nanoTime(), nextNs, why));
    }

    private void readmit(int place, Optional<Keeper> known) throws IOException {
        if (known.isPresent()) {
            takeBack(known.get().anew());
            return;
        }
        Keeper keeper = Keeper.open(homes.get(place), place, keepers.dispersal());
        try {
            requireNotNew(keeper);
            takeBack(keeper);
        } catch (IOException e) {
            if (!keepers.get(place).equals(Optional.of(keeper))) {
                keeper.close();
            }
            throw e;
        }
    }

    private static void requireNotNew(Keeper keeper) throws IOException {
        if (!keeper.isWhole()) {
            throw new IOException(keeper.home() + " is new and not filled: start the agent again");
        }
    }

    private void takeBack(Keeper keeper) throws IOException {
        Replacements known = requireOfThisStore(keeper);
        UnderWay underWay = storage.versions().underWay();
        underWay.returns(keeper);
        try {
            keeper.setEpoch(keepers.epoch());
            keeper.learn(known);
            keepers.admit(keeper);
            settle(keeper);
        } finally {
            underWay.isBack(keeper);
        }
        storage.versions().forgetMarks();
        LOG.info("keeper {} is back", keeper);
    }

    /** Refuses one at which another writer was, or that was replaced meanwhile; returns what was replaced. */
    private Replacements requireOfThisStore(Keeper keeper) throws IOException {
        int epoch = keeper.epoch();
        if (epoch > keepers.epoch()) {
            throw new IOException(keeper.home() + " is in epoch " + epoch + ", and this agent in " + keepers.epoch()
                    + ": another agent has written there, or it lies");
        }
        Replacements known = Replacements.NONE;
        for (Keeper other : keepers.all()) {
            known = known.and(other.identity().replacements());
        }
        KeeperIdentity identity = keeper.identity();
        if (identity.since() < known.epochOf(keeper.index())) {
            throw new IOException(keeper.home() + " was replaced, and counts for nothing: take it out, and name the"
                    + " folder that came in its place");
        }
        if (!known.covers(identity.replacements())) {
            throw new IOException(keeper.home() + " knows of a replacement that the others don't know of: start the"
                    + " agent again");
        }
        return known;
    }

    /** Takes away what the keeper should not have, and notes what it lacks, or may lack. */
    private void settle(Keeper keeper) throws IOException {
        List<StoredFile> files;
        try {
            files = keeper.storage().list(StoredVersion.FOLDER);
        } catch (IOException e) {
            keeper.drop(e);
            throw e;
        }
        for (StoredFile file : files) {
            String name = file.name();
            boolean isPart = name.endsWith(StoredVersion.PART);
            String whole = isPart ? name.substring(0, name.length() - StoredVersion.PART.length()) : name;
            StoredVersion.parse(whole)
                    .ifPresent(version -> storage.versions().takeStale(keeper, version, name, isPart));
        }
        Set<String> names = files.stream().map(StoredFile::name).collect(Collectors.toSet());
        for (StoredVersion version : storage.versions().all()) {
            // One that grew may be shorter here than elsewhere, which whoever gives it finds out.
            if (version.kind() == Kind.GROWING || !names.contains(version.file())) {
                storage.versions().lacking().lacks(keeper.index(), version.name());
            }
        }
    }
}
