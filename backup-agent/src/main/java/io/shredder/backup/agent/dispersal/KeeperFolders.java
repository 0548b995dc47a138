// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the keepers of a configuration, or makes them of empty folders. */
public final class KeeperFolders {

    private static final Logger LOG = LoggerFactory.getLogger(KeeperFolders.class);

    /** A writer that wins too few keepers leaves an epoch at some, each time that it is started. */
    private static final int MOST_EPOCHS_AHEAD = 100_000;

    private KeeperFolders() {}

    /**
     * Opens those that are there and takes the store over.
     *
     * @throws IOException if there are too few to read anything, or if one is another's or in another's hands
     */
    static Keepers open(DispersalConfig config) throws IOException {
        return open(config, true, true);
    }

    /**
     * Opens those of a store that was made before.
     *
     * @param toChange whether to take it over; else nobody's epoch ends and nothing is changed
     */
    public static Keepers openMade(DispersalConfig config, boolean toChange) throws IOException {
        return open(config, toChange, false);
    }

    private static Keepers open(DispersalConfig config, boolean toChange, boolean mayMake) throws IOException {
        Dispersal dispersal = new Dispersal(storeOf(config, mayMake), config.data(), config.parity());
        Present present = Present.open(config, dispersal);
        try {
            present.requireWhole(dispersal.data(), "");
            int epoch = toChange ? takeOver(dispersal, present) : 0;
            return new Keepers(dispersal, present.keepers(), present.whyAway(), epoch);
        } catch (IOException | RuntimeException e) {
            present.close();
            throw e;
        }
    }

    /**
     * Opens those of a store by which a keeper can be replaced, and begins an epoch, after which no writer who doesn't
     * know of it can change anything.
     *
     * @throws IOException if they are too few, or if one is another's or in another's hands
     */
    public static Keepers openToReplace(DispersalConfig config, int place) throws IOException {
        Dispersal dispersal = new Dispersal(storeOf(config, false), config.data(), config.parity());
        Present present = Present.open(config, dispersal);
        try {
            present.requireWhole(dispersal.leastToReplace(), " to replace keeper " + place);
            int epoch = beginEpoch(present, dispersal.leastToReplace(), dispersal.parity());
            if (epoch == 0 || wholeThatTakeChanges(present) < dispersal.leastToReplace()) {
                throw new IOException("keeper " + place + " can't be replaced: too few others take a change");
            }
            return new Keepers(dispersal, present.keepers(), present.whyAway(), epoch);
        } catch (IOException | RuntimeException e) {
            present.close();
            throw e;
        }
    }

    /** The epoch that begins; 0 if too few keepers are there for one. */
    private static int takeOver(Dispersal dispersal, Present present) throws IOException {
        int count = present.keepers().size();
        if (count < dispersal.leastToTakeOver()) {
            LOG.warn("only {} of {} keepers are there: the store is only read", count, dispersal.keepers());
            return 0;
        }
        int epoch = beginEpoch(present, dispersal.leastToTakeOver(), dispersal.parity());
        boolean filling = present.keepers().stream().anyMatch(keeper -> !keeper.isWhole());
        long told = wholeThatTakeChanges(present);
        if (epoch > 0 && filling && told < dispersal.leastToReplace()) {
            LOG.warn(
                    "a keeper is being replaced, and only {} of the {} others are there that must know: the store is"
                            + " only read",
                    told,
                    dispersal.leastToReplace());
            return 0;
        }
        return epoch;
    }

    /**
     * The highest of what keepers say. Those that say a much higher epoch than others are not believed, if they are no
     * more than may lie: they could say the last that there is, after which nobody could begin one.
     *
     * @param liars how many may lie, as many as there is parity
     */
    public static int highestBelieved(Collection<Integer> epochs, int liars) {
        List<Integer> falling =
                epochs.stream().sorted(Comparator.reverseOrder()).toList();
        if (falling.isEmpty()) {
            return 0;
        }
        int sure = falling.get(Math.min(liars, falling.size() - 1));
        return falling.stream()
                .filter(epoch -> epoch - sure <= MOST_EPOCHS_AHEAD)
                .findFirst()
                .orElse(sure);
    }

    private static long wholeThatTakeChanges(Present present) {
        return present.keepers().stream()
                .filter(keeper -> keeper.isWhole() && keeper.takesChanges())
                .count();
    }

    /** Says at all keepers that a writer has come, and which keepers were replaced; 0 if too few took that. */
    private static int beginEpoch(Present present, int least, int liars) throws IOException {
        Map<Keeper, Integer> epochs = new LinkedHashMap<>();
        for (Keeper keeper : present.keepers()) {
            try {
                epochs.put(keeper, keeper.epoch());
            } catch (IOException e) {
                keeper.drop(e);
            }
        }
        int highest = highestBelieved(epochs.values(), liars);
        if (highest >= Keeper.LAST_EPOCH) {
            throw new IOException("the keepers say epoch " + highest + ", after which there is none: find out which of"
                    + " them are wrong, and take them out");
        }
        List<Keeper> asked = new ArrayList<>();
        epochs.forEach((keeper, epoch) -> {
            if (epoch > highest) {
                keeper.drop(new IOException("it says epoch " + epoch + ", and the others no more than " + highest
                        + ": no writer can have begun so many without them"));
            } else {
                asked.add(keeper);
            }
        });
        int won = 0;
        for (Keeper keeper : asked) {
            try {
                keeper.setEpoch(highest + 1);
                keeper.learn(present.replacements());
                won++;
            } catch (IOException e) {
                keeper.drop(e);
            }
        }
        return won < least ? 0 : highest + 1;
    }

    /** The store that the folders keep; a new one if all are empty and one may be made. */
    private static UUID storeOf(DispersalConfig config, boolean mayMake) throws IOException {
        TreeMap<UUID, KeeperHome> stores = new TreeMap<>();
        TreeMap<Integer, KeeperHome> empty = new TreeMap<>();
        boolean begun = false;
        for (int i = 0; i < config.keepers().size(); i++) {
            KeeperHome home = config.keepers().get(i);
            try {
                Optional<KeeperIdentity> found = Keeper.identityOf(home);
                if (found.isPresent()) {
                    stores.put(found.get().dispersal().store(), home);
                    begun |= mayHaveBegun(home, found.get());
                } else if (isEmpty(home)) {
                    empty.put(i, home);
                }
            } catch (IOException e) {
                LOG.warn("{}", e.getMessage()); // One that can't be read is away.
            }
        }
        if (stores.size() > 1) {
            throw new IOException(stores.firstEntry().getValue() + " and "
                    + stores.lastEntry().getValue() + " are keepers of different stores: correct the list of keepers");
        }
        boolean all = stores.isEmpty() ? empty.size() == config.keepers().size() : !begun && !empty.isEmpty();
        if (all && mayMake) {
            return make(config, stores.isEmpty() ? UUID.randomUUID() : stores.firstKey(), empty);
        }
        if (stores.isEmpty()) {
            throw new IOException("none of the keepers is there: mount their disks; for a new store make all"
                    + " folders, and leave them empty");
        }
        return stores.firstKey();
    }

    /** Whether an epoch may have begun, in which something was written. */
    private static boolean mayHaveBegun(KeeperHome home, KeeperIdentity identity) {
        try {
            return !identity.replacements().places().isEmpty() || Keeper.epoch(home) > 0;
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isEmpty(KeeperHome home) throws IOException {
        Set<String> ours = Set.of(StoredVersion.FOLDER, Keeper.WRITER, "writer.tmp", "keeper.tmp");
        return home.names().filter(ours::containsAll).isPresent();
    }

    /** Makes those that are not yet made; a crash may have come between them. */
    private static UUID make(DispersalConfig config, UUID store, Map<Integer, KeeperHome> empty) throws IOException {
        Dispersal dispersal = new Dispersal(store, config.data(), config.parity());
        for (Map.Entry<Integer, KeeperHome> each : empty.entrySet()) {
            try (HeldHome held = Keeper.hold(each.getValue())) {
                if (!held.has(Keeper.IDENTITY)) {
                    Keeper.make(held, KeeperIdentity.first(dispersal, each.getKey()), 0);
                }
            }
        }
        LOG.info("store {} begins over {} keepers", store, config.keepers().size());
        return store;
    }
}
