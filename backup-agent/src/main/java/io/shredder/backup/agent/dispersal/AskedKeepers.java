// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to several keepers, whose answers are taken as they come. When it is closed, what nobody has begun to
 * ask is taken back, and of what is under way the answers are dropped. For one thread.
 */
final class AskedKeepers<T> implements Closeable {

    /** In place of a length: how long the answer takes says nothing of the keeper. */
    static final long NOT_MEASURED = -1;

    /** Who takes so many times as long as all that are needed is late. */
    private static final int TIMES_LATER = 2;

    private final long bytes;
    private final KeeperReads.Question<T> question;
    private final Consumer<T> dropped;
    private final BlockingQueue<Answer<T>> come = new LinkedBlockingQueue<>();
    private final List<Runnable> cancels = new ArrayList<>();
    private final Set<Integer> unanswered = new LinkedHashSet<>();
    private final Set<Integer> slow = new LinkedHashSet<>();
    private final long startNs = System.nanoTime();
    private long lateNs = Long.MAX_VALUE;
    private boolean enoughCame;
    private volatile boolean closed;

    /**
     * Asks nobody yet.
     *
     * @param bytes of each answer, as far as is known; or {@link #NOT_MEASURED}
     * @param dropped gets what comes too late, in any thread
     */
    AskedKeepers(long bytes, KeeperReads.Question<T> question, Consumer<T> dropped) {
        this.bytes = bytes;
        this.question = question;
        this.dropped = dropped;
    }

    /** What a keeper answered, or why it didn't. */
    record Answer<T>(Keeper keeper, @Nullable T value, @Nullable Throwable problem) {

        /** The value. */
        T get() throws IOException {
            if (problem instanceof IOException failure) {
                throw failure;
            }
            if (problem != null) {
                throw new IllegalStateException("a bug in what a keeper was asked", problem);
            }
            if (value == null) {
                throw new IllegalStateException("a keeper was asked for nothing");
            }
            return value;
        }
    }

    /** Asks one more. */
    void ask(KeeperReads reads) {
        long nowNs = System.nanoTime();
        unanswered.add(reads.keeper().index());
        if (reads.pace().expectedNs(Math.max(0, bytes), nowNs) > KeeperPace.LEAST_LATE_NS) {
            slow.add(reads.keeper().index());
        }
        lateNs = nowNs + reads.pace().lateNs(Math.max(0, bytes));
        cancels.add(reads.ask(bytes, question, (value, problem) -> {
            come.add(new Answer<>(reads.keeper(), value, problem));
            if (closed) {
                dropAll();
            }
        }));
    }

    /** How many were asked and have not answered yet. */
    int outstanding() {
        return unanswered.size();
    }

    /** Who they are. */
    Collection<Integer> unanswered() {
        return unanswered;
    }

    /**
     * Whether to wait for more of those that were all asked at once: for so many as are needed however long that takes,
     * then for others that are not known to be slow for about as long again, until they are late.
     *
     * @param needed how many more are needed
     */
    boolean mustAwaitMore(int needed) {
        if (unanswered.isEmpty()) {
            return false;
        }
        long nowNs = System.nanoTime();
        if (needed > 0) {
            lateNs = Long.MAX_VALUE;
            return true;
        }
        if (!enoughCame) {
            enoughCame = true;
            lateNs = nowNs + TIMES_LATER * (nowNs - startNs) + KeeperPace.LEAST_LATE_NS;
        }
        return lateNs > nowNs && !slow.containsAll(unanswered);
    }

    /** The next answer, however long it takes. */
    Answer<T> await() {
        return take(Long.MAX_VALUE).orElseThrow();
    }

    /** An answer that has come; empty if none has. */
    Optional<Answer<T>> poll() {
        return take(System.nanoTime());
    }

    /** The next answer; empty if it is late: by what the keeper that was asked last takes, or as said above. */
    Optional<Answer<T>> awaitUnlessLate() {
        return take(lateNs);
    }

    /** Also for a thread that is interrupted: who reads has its own limits. */
    private Optional<Answer<T>> take(long untilNs) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long waitNs = untilNs == Long.MAX_VALUE ? Long.MAX_VALUE : untilNs - System.nanoTime();
                    Optional<Answer<T>> next = Optional.ofNullable(come.poll(waitNs, TimeUnit.NANOSECONDS));
                    next.ifPresent(answer -> unanswered.remove(answer.keeper().index()));
                    return next;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void dropAll() {
        for (Answer<T> answer = come.poll(); answer != null; answer = come.poll()) {
            if (answer.value() != null) {
                dropped.accept(answer.value());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (!unanswered.isEmpty()) {
            cancels.forEach(Runnable::run);
        }
        dropAll();
    }
}
