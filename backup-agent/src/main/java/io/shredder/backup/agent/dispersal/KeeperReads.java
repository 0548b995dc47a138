// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads at one keeper, beside whoever asks, so that a keeper that hangs holds up nobody who can do without it. So many
 * are under way at once at most; others wait their turn. Safe for any number of threads.
 */
final class KeeperReads implements Closeable {

    private static final int MOST_AT_ONCE = 16;
    private static final long PROBE_AFTER_NS = 1_000_000_000;

    private final Keeper keeper;
    private final Executor threads;
    private final KeeperPace pace = new KeeperPace();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean closed;

    /** Reads in these threads. */
    KeeperReads(Keeper keeper, Executor threads) {
        this.keeper = keeper;
        this.threads = threads;
    }

    /** A question to a keeper that changes nothing. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Keeper keeper) throws IOException;
    }

    /** Is told what came of a question, by the thread that asked. */
    @FunctionalInterface
    interface Listener<T> {
        /** Either has a value or a problem, which may be a bug. */
        void answered(@Nullable T value, @Nullable Throwable problem);
    }

    Keeper keeper() {
        return keeper;
    }

    KeeperPace pace() {
        return pace;
    }

    /**
     * Asks beside.
     *
     * @param bytes of the answer, as far as is known
     * @return takes the question back if nobody has begun to ask it; its listener hears nothing then
     */
    <T> Runnable ask(long bytes, Question<T> question, Listener<T> listener) {
        KeeperPace.Begun begun = pace.begin(bytes, System.nanoTime());
        Runnable task = () -> run(begun, question, listener);
        if (!submit(task)) {
            pace.said(begun);
            listener.answered(null, new ClosedChannelException());
        }
        return () -> {
            if (takeBack(task)) {
                pace.said(begun);
            }
        };
    }

    /** Returns whether it will be run, if nobody takes it back. */
    private synchronized boolean submit(Runnable task) {
        if (closed) {
            return false;
        }
        waiting.add(task);
        if (underWay < MOST_AT_ONCE) {
            try {
                threads.execute(this::runWaiting);
                underWay++;
            } catch (RejectedExecutionException e) {
                waiting.remove(task);
                return false;
            }
        }
        return true;
    }

    private synchronized boolean takeBack(Runnable task) {
        return waiting.remove(task);
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = waiting.poll();
        underWay -= next == null ? 1 : 0;
        return next;
    }

    private void runWaiting() {
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private <T> void run(KeeperPace.Begun begun, Question<T> question, Listener<T> listener) {
        try {
            T value = question.ask(keeper);
            pace.answered(begun, System.nanoTime());
            listener.answered(value, null);
        } catch (NoSuchFileException | EOFException | DamagedDataException | ClosedChannelException e) {
            pace.said(begun);
            listener.answered(null, e);
        } catch (IOException | RuntimeException | Error e) {
            pace.failed(begun);
            listener.answered(null, e);
        }
    }

    /** Asks beside, if nothing was asked here for a while, so that it is known how the keeper stands. */
    <T> void probe(long bytes, Question<T> question, Listener<T> listener) {
        if (pace.mayBeOld(System.nanoTime(), PROBE_AFTER_NS)) {
            ask(bytes, question, listener);
        }
    }

    /** Questions that wait are not asked any more; who is under way is not waited for. */
    @Override
    public synchronized void close() {
        closed = true;
        waiting.clear();
    }
}
