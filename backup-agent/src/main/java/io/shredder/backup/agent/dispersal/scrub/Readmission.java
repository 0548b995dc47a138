// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.Unsettled;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets keepers take part again that were away when the store was opened, or that failed a change since. What such a
 * keeper has and should not have any more is taken away; what it lacks is noted, and for others to give. One that was
 * taken back is, for the rest of the store, as if it had been there at the opening. For one thread.
 */
final class Readmission {

    private static final Logger LOG = LoggerFactory.getLogger(Readmission.class);

    private final DispersedStorage storage;
    private final Keepers keepers;
    private final List<KeeperHome> homes;
    private final Pauses pauses;
    private final BooleanSupplier ended;

    /** Why each could not be taken back, as was said. */
    private final Map<Integer, String> told = new HashMap<>();

    /**
     * Tries nothing yet.
     *
     * @param homes of all keepers, in the order of places
     * @param ended whether to do no more
     */
    Readmission(DispersedStorage storage, List<KeeperHome> homes, Pauses pauses, BooleanSupplier ended) {
        this.storage = storage;
        this.keepers = storage.keepers();
        this.homes = List.copyOf(homes);
        this.pauses = pauses;
        this.ended = ended;
    }

    /** Tries it with those whose turn it is. */
    void run() {
        for (int place = 0; place < homes.size() && !ended.getAsBoolean(); place++) {
            Optional<Keeper> known = keepers.get(place);
            if (!known.map(Keeper::takesChanges).orElse(false) && pauses.isDue(place)) {
                tryIt(place, known);
                pauses.tried(place);
            }
        }
    }

    private void tryIt(int place, Optional<Keeper> known) {
        try {
            readmit(place, known);
            told.remove(place);
        } catch (IOException | RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            if (!(e instanceof NoSuchFileException) && !why.equals(told.put(place, why))) {
                LOG.warn("keeper {} ({}) is not taken back: {}", place, homes.get(place), why);
            }
        }
    }

    private void readmit(int place, Optional<Keeper> known) throws IOException {
        if (known.isPresent() && known.get().isStillHeld()) {
            takeBack(known.get().anew());
            return;
        }
        Keeper keeper = Keeper.open(homes.get(place), place, keepers.dispersal());
        try {
            requireNotNew(keeper);
            takeBack(keeper);
        } finally {
            boolean isIn = keepers.get(place).equals(Optional.of(keeper));
            Optional<Keeper> unused = isIn ? known : Optional.of(keeper);
            if (unused.isPresent()) {
                unused.get().close();
            }
        }
    }

    private static void requireNotNew(Keeper keeper) throws IOException {
        if (!keeper.isWhole()) {
            throw new IOException(keeper.home() + " is new and not filled: start the agent again");
        }
    }

    private void takeBack(Keeper keeper) throws IOException {
        Replacements known = requireOfThisStore(keeper);
        Unsettled unsettled = storage.versions().unsettled();
        unsettled.returns(keeper);
        try {
            keeper.setEpoch(keepers.epoch());
            keeper.learn(known);
            keepers.admit(keeper);
            settle(keeper);
        } finally {
            unsettled.isBack(keeper);
        }
        unsettled.forgetMarks(ended);
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
        Set<String> names = files.stream().map(StoredFile::name).collect(Collectors.toSet());
        for (StoredVersion version : storage.versions().all()) {
            // One that grew may be shorter here than elsewhere, which whoever gives it finds out.
            if (version.kind() == Kind.GROWING || !names.contains(version.file())) {
                storage.versions().mayLack(keeper, version);
            }
        }
        for (String name : names) {
            takeAwayIfUseless(keeper, name);
            if (ended.getAsBoolean() || !keeper.takesChanges()) {
                IOException unsettled = new IOException("it may have what counts no more");
                keeper.drop(unsettled);
                throw unsettled;
            }
        }
    }

    private void takeAwayIfUseless(Keeper keeper, String name) {
        boolean isPart = name.endsWith(StoredVersion.PART);
        String whole = isPart ? name.substring(0, name.length() - StoredVersion.PART.length()) : name;
        Optional<StoredVersion> version = StoredVersion.parse(whole);
        if (version.isPresent() && storage.versions().unsettled().isUseless(version.get(), isPart)) {
            Keepers.delete(keeper, name);
        }
    }
}
