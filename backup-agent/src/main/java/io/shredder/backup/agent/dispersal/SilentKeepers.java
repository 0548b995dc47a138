// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.agent.dispersal.home.SignOfLife;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Keepers that can't be asked now: nothing follows from what they don't say. Safe for any number of threads. */
final class SilentKeepers {

    private static final Duration LOOK = Duration.ofMillis(10);

    private final Keepers keepers;
    private final StoredVersion version;
    private final BitSet silent;

    /**
     * Those that are away.
     *
     * @param version what others are asked about
     */
    SilentKeepers(Keepers keepers, StoredVersion version) {
        this.keepers = keepers;
        this.version = version;
        this.silent = keepers.away();
    }

    /** A keeper has something else than it was given, or can't be asked, or never got it. */
    void note(Keeper keeper, long at, IOException problem) throws ClosedChannelException {
        if (problem instanceof ClosedChannelException closed) {
            throw closed;
        }
        boolean missing = problem instanceof NoSuchFileException;
        boolean says = missing || problem instanceof EOFException || problem instanceof DamagedDataException;
        if (missing && !keeper.isWhole()) {
            add(keeper.index());
        } else if (!says || !keeper.isThere()) {
            add(keeper.index());
            keeper.tellSilent(problem);
        } else if (!missing) {
            keeper.tell(version, at, String.valueOf(problem.getMessage()));
        }
    }

    private synchronized void add(int index) {
        silent.set(index);
    }

    synchronized int count() {
        return silent.cardinality();
    }

    synchronized BitSet all() {
        return (BitSet) silent.clone();
    }

    /** How many of these are silent, or are among others. */
    int shared(Members members, Iterable<Integer> others) {
        BitSet all = all();
        others.forEach(all::set);
        return members.shared(all);
    }

    /**
     * Waits for a sign of life of keepers that fell silent no longer ago than an answer may take.
     *
     * @param heard of whom there was one already: they are not waited for
     * @param ended whether nobody waits any more
     * @return those that answer again; none if that is not to be expected soon
     */
    Set<Keeper> awaitSigns(Set<Keeper> heard, BooleanSupplier ended) {
        while (!ended.getAsBoolean()) {
            Set<Keeper> back = new HashSet<>();
            boolean awaited = false;
            for (Keeper keeper : mayComeBack(heard)) {
                SignOfLife sign = keeper.signOfLife();
                awaited |= sign == SignOfLife.AWAITED;
                if (sign == SignOfLife.GIVEN) {
                    back.add(keeper);
                }
            }
            if (!back.isEmpty() || !awaited) {
                return back;
            }
            Uninterruptibles.sleepUninterruptibly(LOOK);
        }
        return Set.of();
    }

    private Set<Keeper> mayComeBack(Set<Keeper> heard) {
        Set<Keeper> all = new HashSet<>();
        all().stream().mapToObj(keepers::get).flatMap(Optional::stream).forEach(all::add);
        all.removeAll(heard);
        return all;
    }

    /** It is asked again; returns whether it was silent until now. */
    synchronized boolean forget(Keeper back) {
        boolean was = silent.get(back.index());
        silent.clear(back.index());
        return was;
    }

    @Override
    public synchronized String toString() {
        return silent.toString();
    }
}
