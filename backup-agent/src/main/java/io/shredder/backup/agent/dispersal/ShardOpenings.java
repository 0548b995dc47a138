// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import com.google.common.collect.Iterables;
import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;

/**
 * The shards of one version that are open, and who has not opened theirs yet. Safe for any number of threads; nobody is
 * held up by another one who waits.
 */
final class ShardOpenings implements Closeable {

    private static final Duration LOOK = Duration.ofMillis(2);

    private final Keepers keepers;
    private final Map<Integer, Shard> shards = new ConcurrentSkipListMap<>();
    private final SilentKeepers silent;

    /** Instead of which others were opened; whoever reads of them may go on. */
    private final Queue<Shard> replaced = new ConcurrentLinkedQueue<>();

    /** Why keepers have no shard here. */
    private final Map<Integer, IOException> refused = new TreeMap<>();

    private final AskedKeepers<Shard> opening;
    private int answers;
    private volatile boolean closed;

    /** Asks all keepers that are there to open theirs. */
    ShardOpenings(Keepers keepers, StoredVersion version) {
        this.keepers = keepers;
        this.silent = new SilentKeepers(keepers, version);
        this.opening = new AskedKeepers<>(0, keeper -> Shard.open(keepers.dispersal(), keeper, version), Shard::drop);
        keepers.quickest(0).forEach(opening::ask);
    }

    /** For the thread that made this, before others have it: waits for those of as many keepers as are needed. */
    void awaitQuickest() throws IOException {
        int data = keepers.dispersal().data();
        while (opening.mustAwaitMore(data - shards.size())) {
            Optional<AskedKeepers.Answer<Shard>> next = opening.awaitUnlessLate();
            if (next.isPresent()) {
                take(next.get());
            }
        }
        Set<Keeper> heard = new HashSet<>();
        boolean more = true;
        while (more && shards.size() < data) {
            more = awaitMore(answers(), () -> false) || hearAgain(heard, () -> false);
        }
    }

    /** The same for all, however slow they are. */
    void awaitAll() throws IOException {
        while (opening.outstanding() > 0) {
            take(opening.await());
        }
    }

    /**
     * Waits until more than {@code known} answers have come, or all, or {@code ended}.
     *
     * @param known as {@link #answers} said before the shards were used that were open then
     * @return whether more have come
     */
    boolean awaitMore(int known, BooleanSupplier ended) throws IOException {
        while (answers() == known && !unanswered().isEmpty() && !closed && !ended.getAsBoolean()) {
            Uninterruptibles.sleepUninterruptibly(LOOK);
        }
        return answers() > known;
    }

    /** Whether more than {@code known} answers have come, or will. */
    synchronized boolean hasMore(int known) {
        return answers > known || opening.outstanding() > 0;
    }

    /** How many have opened theirs, or said why not, as often as they were asked. */
    synchronized int answers() throws IOException {
        for (Optional<AskedKeepers.Answer<Shard>> next = opening.poll(); next.isPresent(); next = opening.poll()) {
            take(next.get());
        }
        return answers;
    }

    private synchronized void take(AskedKeepers.Answer<Shard> answer) throws IOException {
        answers++;
        Keeper keeper = answer.keeper();
        try {
            Shard shard = answer.get();
            shards.put(keeper.index(), shard);
            if (closed) {
                shard.drop(); // Whoever closed the others may not have seen it.
            }
        } catch (IOException e) {
            refused.put(keeper.index(), e);
            silent.note(keeper, 0, e);
        }
    }

    /**
     * Waits for keepers that fell silent a short while ago, until {@code ended}; those that answer again begin to open
     * theirs, unless somebody else that waits for them had them do so.
     *
     * @param heard of whom there was a sign of life already, to whom the others are added
     * @return whether there are any others
     */
    boolean hearAgain(Set<Keeper> heard, BooleanSupplier ended) {
        Set<Keeper> back = silent.awaitSigns(heard, () -> closed || ended.getAsBoolean());
        openAgain(back);
        return heard.addAll(back);
    }

    /** What was open there may be of no use any more. Nobody sees a keeper that is neither silent nor asked. */
    private synchronized void openAgain(Set<Keeper> back) {
        for (KeeperReads reads : keepers.quickest(0)) {
            if (back.contains(reads.keeper()) && silent.forget(reads.keeper())) {
                Optional.ofNullable(shards.remove(reads.keeper().index())).ifPresent(replaced::add);
                refused.remove(reads.keeper().index());
                opening.ask(reads);
            }
        }
    }

    /** Keepers that can't be asked now. */
    SilentKeepers silent() {
        return silent;
    }

    /** How many of these keepers can't be asked now, or have not answered yet. */
    synchronized int silentOf(Members members) {
        return silent.shared(members, opening.unanswered());
    }

    /** Those that have neither opened theirs nor said why not. */
    synchronized Set<Integer> unanswered() {
        return Set.copyOf(opening.unanswered());
    }

    /** The shards that are open, by the keeper's number. */
    Map<Integer, Shard> open() {
        return shards;
    }

    /** Why a keeper has no sound header; empty if it has one. */
    synchronized Optional<IOException> refused(int index) {
        return Optional.ofNullable(refused.get(index));
    }

    /** The keepers whose shards are open, the quickest first. */
    List<KeeperReads> quickest(long bytes) throws IOException {
        answers();
        return keepers.quickest(bytes).stream()
                .filter(reads -> shards.containsKey(reads.keeper().index()))
                .toList();
    }

    /** Waits for no read that is under way. */
    @Override
    public void close() throws IOException {
        closed = true;
        synchronized (this) {
            opening.close();
        }
        for (Shard shard : Iterables.concat(shards.values(), replaced)) {
            shard.close();
        }
    }
}
