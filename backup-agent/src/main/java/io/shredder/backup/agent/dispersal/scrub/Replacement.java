// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.KeeperFolders;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Puts an empty folder in the place of a keeper that is lost. First the others begin an epoch; then the folder says
 * that it is the keeper of that place from this epoch on, and still empty; then the others are told; then it is filled,
 * and says so. A crash leaves the old state, or one that the next run goes on with. The keepers are locked meanwhile.
 * For one thread.
 */
public final class Replacement implements Closeable {

    private final DispersedStorage storage;
    private final Keeper keeper;

    private Replacement(DispersedStorage storage, Keeper keeper) {
        this.storage = storage;
        this.keeper = keeper;
    }

    /**
     * Takes the folder in, unless that was done before, and opens the store.
     *
     * @param config names the new folder in that place
     * @throws IOException if the folder is not empty, or another keeper's, or not to be replaced; or if too few others
     *     are there
     */
    public static Replacement open(DispersalConfig config, int place, Clock clock) throws IOException {
        takeIn(config, place, clock);
        DispersedStorage storage = DispersedStorage.open(config, KeeperFolders.openMade(config, true));
        try {
            Keeper keeper = storage.keepers()
                    .get(place)
                    .orElseThrow(() -> new IOException(storage.keepers().whyAway(place)));
            return new Replacement(storage, keeper);
        } catch (IOException e) {
            storage.close();
            throw e;
        }
    }

    private static void takeIn(DispersalConfig config, int place, Clock clock) throws IOException {
        if (place < 0 || place >= config.keepers().size()) {
            throw new IOException("there is no place " + place + ": name one of 0 to "
                    + (config.keepers().size() - 1));
        }
        KeeperHome home = config.keepers().get(place);
        refuseTwice(config, place);
        if (isBegun(config, place)) {
            return;
        }
        requireEmpty(home);
        try (HeldHome held = Keeper.hold(home)) {
            requireNoVersions(home, held);
            takeIn(config, place, clock, held);
        }
    }

    private static void takeIn(DispersalConfig config, int place, Clock clock, HeldHome held) throws IOException {
        try (Keepers others = KeeperFolders.openToReplace(config, place)) {
            if (held.has(Keeper.IDENTITY) || others.get(place).isPresent()) {
                throw new IOException(config.keepers().get(place) + " became a keeper meanwhile: look who uses it");
            }
            Replacements known = Replacements.NONE;
            for (Keeper other : others.all()) {
                known = known.and(other.identity().replacements());
            }
            Replacements.Last now =
                    new Replacements.Last(others.epoch(), clock.instant().truncatedTo(ChronoUnit.SECONDS));
            KeeperIdentity identity = new KeeperIdentity(others.dispersal(), place, false, known.with(place, now));
            Keeper.make(held, identity, others.epoch());
        }
    }

    /** One folder under two names would be two places' keeper. */
    private static void refuseTwice(DispersalConfig config, int place) throws IOException {
        KeeperHome home = config.keepers().get(place);
        for (int i = 0; i < config.keepers().size(); i++) {
            KeeperHome other = config.keepers().get(i);
            if (i != place && home.isSameAs(other)) {
                throw new IOException(home + " and " + other + " are the same folder: name an empty one");
            }
        }
    }

    /**
     * Whether the folder was taken in before and is not filled yet.
     *
     * @throws IOException if it is a keeper otherwise
     */
    private static boolean isBegun(DispersalConfig config, int place) throws IOException {
        KeeperHome home = config.keepers().get(place);
        Optional<KeeperIdentity> own;
        try {
            own = Keeper.identityOf(home);
        } catch (DamagedDataException e) {
            throw new IOException(home + " is not empty: name an empty folder: " + e.getMessage(), e);
        }
        if (own.isEmpty()) {
            return false;
        }
        Replacements known = Replacements.NONE;
        for (int i = 0; i < config.keepers().size(); i++) {
            Optional<KeeperIdentity> other =
                    i == place ? Optional.empty() : identityOf(config.keepers().get(i));
            if (other.isPresent()) {
                requireSameStore(home, own.get(), other.get().dispersal().store());
                known = known.and(other.get().replacements());
            }
        }
        if (own.get().place() != place) {
            throw new IOException(home + " is keeper " + own.get().place() + " of this store: name an empty folder");
        }
        Replacements.Last last = known.places().get(place);
        if (last != null && own.get().since() < last.epoch()) {
            throw new IOException(home + " was replaced on " + last.when()
                    + ": take it out, and name an empty folder, or the one that came in its place");
        }
        if (own.get().whole()) {
            throw new IOException(home + " is keeper " + place
                    + ", and has everything: to replace it, name an empty folder in its place");
        }
        return true;
    }

    /** One that can't be read says nothing here. */
    private static Optional<KeeperIdentity> identityOf(KeeperHome home) {
        try {
            return Keeper.identityOf(home);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void requireSameStore(KeeperHome home, KeeperIdentity own, UUID store) throws IOException {
        if (!own.dispersal().store().equals(store)) {
            throw new IOException(
                    home + " is a keeper of another store, " + own.dispersal().store() + ": name an empty folder");
        }
    }

    /** Nothing may lie there but what an earlier try left. */
    private static void requireEmpty(KeeperHome home) throws IOException {
        Set<String> names = home.names()
                .orElseThrow(
                        () -> new IOException(home + " isn't there: make it, on the new disk, and leave it empty"));
        Set<String> ours = Set.of(StoredVersion.FOLDER, Keeper.WRITER, "writer.tmp", "keeper.tmp");
        Optional<String> other =
                names.stream().filter(name -> !ours.contains(name)).min(Comparator.naturalOrder());
        if (other.isPresent()) {
            throw new IOException(
                    home + " is not empty: " + home.path(other.get()) + " lies there; name an empty folder");
        }
    }

    /** Nor a version of a file. */
    private static void requireNoVersions(KeeperHome home, HeldHome held) throws IOException {
        List<StoredFile> files = held.storage().list(StoredVersion.FOLDER);
        if (!files.isEmpty()) {
            throw new IOException(home + " is not empty: a keeper's "
                    + home.path(files.get(0).name()) + " lies there; name an empty folder");
        }
    }

    /** Gives the keeper what it lacks; a run that ends before may be begun again. */
    public RebuildReport run(Scrub.Progress progress) throws IOException {
        return new Rebuild(storage, keeper, progress).run();
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
