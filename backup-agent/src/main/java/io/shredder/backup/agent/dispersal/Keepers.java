// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.OtherKeeperException;
import io.shredder.backup.agent.dispersal.home.OtherWriterException;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.Members;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keepers that were there when the store was opened, or came back since. What changes, or is read, is done at all
 * of them side by side, by threads named {@code keepers-N}. A change counts if enough of them did it, and those that
 * didn't get no further changes. Safe for any number of threads.
 */
public final class Keepers implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Keepers.class);

    private final Dispersal dispersal;
    private final Map<Integer, Keeper> byIndex = new ConcurrentSkipListMap<>();
    private final Map<Integer, KeeperReads> reads = new ConcurrentSkipListMap<>();
    private final Map<Integer, String> whyAway;
    private final ExecutorService threads;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, Future<Boolean>> asked = new ConcurrentHashMap<>();
    private final int epoch;
    private boolean closed;

    /**
     * Owns the keepers.
     *
     * @param whyAway of each other one, why it isn't there or doesn't count
     * @param epoch of this writer, which each keeper that is there has noted; 0 if nothing may be changed
     */
    Keepers(Dispersal dispersal, Collection<Keeper> keepers, Map<Integer, String> whyAway, int epoch) {
        this.dispersal = dispersal;
        this.whyAway = Map.copyOf(whyAway);
        this.epoch = epoch;
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "keepers-" + numbers.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        keepers.forEach(this::admit);
    }

    /**
     * From now on it is read, and gets changes that begin. What it was before {@linkplain Keeper#anew() takes none}.
     */
    public synchronized void admit(Keeper keeper) {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
        reads.put(keeper.index(), new KeeperReads(keeper, threads));
        byIndex.put(keeper.index(), keeper);
    }

    /** A step at one keeper. */
    @FunctionalInterface
    public interface Step {
        void at(Keeper keeper) throws IOException;
    }

    public Dispersal dispersal() {
        return dispersal;
    }

    public int epoch() {
        return epoch;
    }

    /** The keeper of that number, if it was there, or came back. */
    public Optional<Keeper> get(int index) {
        return Optional.ofNullable(byIndex.get(index));
    }

    public Collection<Keeper> all() {
        return byIndex.values();
    }

    /** Runs what may wait for keepers; nothing once this is closed. */
    void beside(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("nothing is read any more", e);
        }
    }

    /** Where a keeper that was there is read. */
    KeeperReads reads(int index) {
        KeeperReads found = reads.get(index);
        if (found == null) {
            throw new IllegalArgumentException("keeper " + index + " isn't there");
        }
        return found;
    }

    /**
     * All that were there, those first that will answer first. One that is new, and still being filled, comes after all
     * others.
     *
     * @param bytes of the answer
     */
    List<KeeperReads> quickest(long bytes) {
        long nowNs = System.nanoTime();
        Map<KeeperReads, Long> expected = new HashMap<>();
        reads.values().forEach(each -> expected.put(each, each.pace().expectedNs(bytes, nowNs)));
        List<KeeperReads> sorted = new ArrayList<>(reads.values());
        sorted.sort(Comparator.<KeeperReads, Boolean>comparing(
                        each -> !each.keeper().isWhole())
                .thenComparing(each -> expected.getOrDefault(each, 0L)));
        return sorted;
    }

    /** Those that were not there. */
    public BitSet away() {
        BitSet away = new BitSet();
        away.set(0, dispersal.keepers());
        byIndex.keySet().forEach(away::clear);
        return away;
    }

    /** Why a keeper isn't there, or doesn't count. */
    public String whyAway(int index) {
        return whyAway.getOrDefault(index, "it isn't there");
    }

    /**
     * Asks all keepers side by side whether they are still there. One that doesn't answer is asked no second time
     * before it has.
     *
     * @return what they say; nothing of one that doesn't answer within the time, or fails
     */
    Map<Integer, Boolean> areThere(Duration atMost) throws InterruptedIOException {
        Map<Integer, Future<Boolean>> answers = new TreeMap<>();
        for (Keeper keeper : all()) {
            answers.put(
                    keeper.index(),
                    asked.compute(
                            keeper.index(),
                            (index, before) ->
                                    before == null || before.isDone() ? threads.submit(keeper::isThere) : before));
        }
        long endNs = System.nanoTime() + atMost.toNanos();
        Map<Integer, Boolean> said = new TreeMap<>();
        for (Map.Entry<Integer, Future<Boolean>> answer : answers.entrySet()) {
            try {
                long leftNs = Math.max(0, endNs - System.nanoTime());
                said.put(answer.getKey(), answer.getValue().get(leftNs, TimeUnit.NANOSECONDS));
            } catch (TimeoutException | ExecutionException e) {
                LOG.debug("keeper {} doesn't say whether it is there", answer.getKey(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while keepers were asked");
            }
        }
        return said;
    }

    /** Those of which nothing follows where they don't have something. */
    BitSet unknowing() {
        BitSet unknowing = away();
        all().stream().filter(keeper -> !keeper.isWhole()).forEach(keeper -> unknowing.set(keeper.index()));
        return unknowing;
    }

    /** Those that get changes. */
    public List<Keeper> changeable() {
        return all().stream().filter(Keeper::takesChanges).toList();
    }

    /** Of keepers those that get changes, as what is written names them. */
    public static Members members(Collection<Keeper> keepers) {
        BitSet bits = new BitSet();
        keepers.stream().filter(Keeper::takesChanges).forEach(keeper -> bits.set(keeper.index()));
        return new Members(bits);
    }

    /** Refuses a change that too few keepers could take, before anything is done. */
    public void requireEnough() throws IOException {
        if (epoch == 0) {
            throw new IOException("only " + byIndex.size() + " of " + dispersal.keepers()
                    + " keepers are there: the store can be read, not changed; " + dispersal.leastToChange()
                    + " are needed");
        }
        requireEnough(changeable().size(), null);
    }

    private void requireEnough(int did, @Nullable IOException cause) throws IOException {
        if (did < dispersal.leastToChange()) {
            throw new IOException(
                    "only " + did + " of " + dispersal.keepers() + " keepers took a change and "
                            + dispersal.leastToChange() + " are needed: bring keepers back"
                            + (cause == null ? "" : ": " + cause.getMessage()),
                    cause);
        }
    }

    /**
     * Does a step at all of these keepers that take changes. Those that fail are dropped.
     *
     * @throws IOException if fewer did it than a change needs, or if another writer has come
     */
    public void change(Collection<Keeper> keepers, Step step) throws IOException {
        requireEnough();
        List<Keeper> chosen = keepers.stream().filter(Keeper::takesChanges).toList();
        List<Future<?>> running = new ArrayList<>();
        for (Keeper keeper : chosen) {
            running.add(threads.submit(() -> {
                keeper.requireWriter(epoch);
                take(step, keeper);
                return null;
            }));
        }
        int did = 0;
        IOException last = null;
        for (int i = 0; i < chosen.size(); i++) {
            try {
                await(running.get(i));
                did++;
            } catch (IOException e) {
                chosen.get(i).drop(e);
                last = e;
                if (e instanceof OtherKeeperException) {
                    chosen.forEach(keeper -> keeper.drop(e));
                }
            }
        }
        if (last instanceof OtherKeeperException) {
            throw last;
        }
        requireEnough(did, last);
    }

    /** Takes a file away, if it is there. A keeper that can't gets no more changes. */
    public static void delete(Keeper keeper, String file) {
        try {
            keeper.storage().delete(file);
        } catch (NoSuchFileException e) {
            return; // As it should be.
        } catch (IOException e) {
            keeper.drop(e);
        }
    }

    private static void take(Step step, Keeper keeper) throws IOException {
        try {
            step.at(keeper);
        } catch (OtherWriterException e) {
            throw new OtherKeeperException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The result of what runs in another thread, which is awaited also by a thread that is interrupted. */
    static <T> T await(Future<T> running) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return running.get();
                } catch (InterruptedException e) {
                    interrupted = true; // A change that is under way ends before anybody hears of it.
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException problem) {
                throw problem;
            }
            throw new IllegalStateException("a bug in a keeper's step", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        threads.shutdown();
        reads.values().forEach(KeeperReads::close);
        IOException problem = null;
        for (Keeper keeper : all()) {
            try {
                keeper.close();
            } catch (IOException e) {
                problem = e;
            }
        }
        if (problem != null) {
            throw problem;
        }
    }
}
