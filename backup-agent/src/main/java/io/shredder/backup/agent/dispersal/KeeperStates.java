// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.keepers.KeepersState;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How a store's keepers stand: what was noted of them, and whether they are still there, for which each is asked. Reads
 * nothing else. For one thread.
 */
final class KeeperStates {

    /** Who doesn't say for so long that it is there is silent. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Keepers keepers;
    private final Versions versions;
    private final List<String> homes;
    private final Map<Integer, Boolean> there;

    private KeeperStates(Keepers keepers, Versions versions, List<String> homes) throws InterruptedIOException {
        this.keepers = keepers;
        this.versions = versions;
        this.homes = homes;
        this.there = keepers.areThere(PATIENCE);
    }

    /**
     * Asks all keepers.
     *
     * @param homes where each is, or should be, in the order of places
     */
    static KeepersState of(Keepers keepers, Versions versions, List<String> homes) throws InterruptedIOException {
        return new KeeperStates(keepers, versions, homes).state();
    }

    private KeepersState state() {
        Dispersal dispersal = keepers.dispersal();
        long takers = keepers.changeable().stream().filter(this::isThere).count();
        boolean writable = keepers.epoch() > 0 && takers >= dispersal.leastToChange();
        int undecided = versions.doubts().size();
        boolean readable = undecided == 0 && spare(keeper -> true) >= 0;
        List<KeeperState> all = new ArrayList<>();
        for (int i = 0; i < dispersal.keepers(); i++) {
            all.add(state(i));
        }
        return new KeepersState(
                dispersal.data(),
                dispersal.parity(),
                keepers.epoch(),
                writable,
                readable,
                writable ? (int) takers - dispersal.leastToChange() : 0,
                readable ? Math.max(0, spare(KeeperStates::countsForGood)) : 0,
                undecided,
                all);
    }

    /** Whether what it has can be read after the next opening, too, for all that is known. */
    private static boolean countsForGood(Keeper keeper) {
        return keeper.isWhole() && keeper.silent().isEmpty();
    }

    private boolean isThere(Keeper keeper) {
        return there.getOrDefault(keeper.index(), false);
    }

    /** How many of these that are there may die until a file is at too few, by the file that fewest of them have. */
    private int spare(Predicate<Keeper> these) {
        List<Integer> read = keepers.all().stream()
                .filter(this::isThere)
                .filter(these)
                .map(Keeper::index)
                .toList();
        return read.size()
                - versions.lacking().mostTogether(read)
                - keepers.dispersal().data();
    }

    private KeeperState state(int index) {
        Optional<Keeper> keeper = keepers.get(index);
        if (keeper.isEmpty()) {
            return keeper(index, Condition.AWAY, keepers.whyAway(index), Optional.empty());
        }
        if (!there.containsKey(index)) {
            return keeper(index, Condition.SILENT, "it doesn't answer", Optional.empty());
        }
        if (!isThere(keeper.get())) {
            return keeper(index, Condition.AWAY, homes.get(index) + " isn't there any more", Optional.empty());
        }
        Optional<Keeper.Trouble> failed = keeper.get().failed();
        Optional<Keeper.Trouble> silent = keeper.get().silent();
        if (silent.isPresent()) {
            return keeper(index, Condition.SILENT, silent.get());
        } else if (failed.isPresent()) {
            return keeper(index, Condition.LEFT_OUT, failed.get());
        }
        return keeper.get().isWhole()
                ? keeper(index, Condition.WHOLE, "", Optional.empty())
                : keeper(index, Condition.FILLING, "it is new", Optional.empty());
    }

    private KeeperState keeper(int index, Condition condition, Keeper.Trouble trouble) {
        return keeper(index, condition, trouble.why(), Optional.of(trouble.since()));
    }

    private KeeperState keeper(int index, Condition condition, String why, Optional<Instant> since) {
        long lacking = versions.lacking().count(index);
        boolean isGiven = condition == Condition.FILLING || (condition == Condition.WHOLE && lacking > 0);
        Keeper.Filling filling =
                isGiven ? keepers.get(index).map(Keeper::filling).orElse(Keeper.Filling.NONE) : Keeper.Filling.NONE;
        return new KeeperState(
                condition,
                homes.get(index),
                why,
                since,
                lacking,
                keepers.get(index).map(Keeper::damagedPlaces).orElse(0L),
                filling.doneBytes(),
                filling.totalBytes());
    }
}
