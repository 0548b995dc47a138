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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    private final Deque<Asked<?>> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean closed;

    /** Reads in these threads what doesn't answer by itself. */
    KeeperReads(Keeper keeper, Executor threads) {
        this.keeper = keeper;
        this.threads = threads;
    }

    /** A question to a keeper that changes nothing. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Keeper keeper) throws IOException;

        /** Asks without waiting, if the keeper answers by itself; empty if it has to be waited for. */
        default Optional<CompletableFuture<T>> askBeside(Keeper keeper) throws IOException {
            return Optional.empty();
        }
    }

    /** Is told what came of a question, by a thread that may not be held up. */
    @FunctionalInterface
    interface Listener<T> {
        /** Either has a value or a problem, which may be a bug. */
        void answered(@Nullable T value, @Nullable Throwable problem);
    }

    /** A question that waits or is under way. By identity. */
    private record Asked<T>(KeeperPace.Begun begun, Question<T> question, Listener<T> listener) {}

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
        Asked<T> asked = new Asked<>(pace.begin(bytes, System.nanoTime()), question, listener);
        if (!mayBegin(asked)) {
            return () -> takeBack(asked);
        }
        begin(asked);
        return () -> {};
    }

    /** Whether to begin at once; if not, it waits. */
    private synchronized boolean mayBegin(Asked<?> asked) {
        if (underWay == MOST_AT_ONCE && !closed) {
            waiting.add(asked);
            return false;
        }
        underWay++;
        return true;
    }

    private void takeBack(Asked<?> asked) {
        boolean waited;
        synchronized (this) {
            waited = waiting.remove(asked);
        }
        if (waited) {
            pace.said(asked.begun());
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private <T> void begin(Asked<T> asked) {
        try {
            if (isClosed()) {
                throw new ClosedChannelException();
            }
            Optional<CompletableFuture<T>> answer = asked.question().askBeside(keeper);
            if (answer.isPresent()) {
                var unused = answer.get().whenComplete((value, problem) -> answered(asked, value, problem));
            } else {
                threads.execute(() -> await(asked));
            }
        } catch (RejectedExecutionException e) {
            answered(asked, null, new ClosedChannelException());
        } catch (IOException | RuntimeException | Error e) {
            answered(asked, null, e);
        }
    }

    private <T> void await(Asked<T> asked) {
        T value;
        try {
            value = asked.question().ask(keeper);
        } catch (IOException | RuntimeException | Error e) {
            answered(asked, null, e);
            return;
        }
        answered(asked, value, null);
    }

    private <T> void answered(Asked<T> asked, @Nullable T value, @Nullable Throwable problem) {
        Throwable cause = problem instanceof CompletionException ? problem.getCause() : problem;
        if (cause == null) {
            pace.answered(asked.begun(), System.nanoTime());
        } else if (isAnswer(cause)) {
            pace.said(asked.begun());
        } else {
            pace.failed(asked.begun());
        }
        asked.listener().answered(value, cause);
        Asked<?> next = next();
        if (next != null) {
            begin(next);
        }
    }

    /** Whether the keeper said that, or nobody wants to know any more. */
    private static boolean isAnswer(Throwable problem) {
        return problem instanceof NoSuchFileException
                || problem instanceof EOFException
                || problem instanceof DamagedDataException
                || problem instanceof ClosedChannelException;
    }

    /** In the place of one that has ended. */
    private synchronized @Nullable Asked<?> next() {
        Asked<?> next = waiting.poll();
        underWay -= next == null ? 1 : 0;
        return next;
    }

    /** Asks beside, if nothing was asked here for a while, so that it is known how the keeper stands. */
    <T> void probe(long bytes, Question<T> question, Listener<T> listener) {
        if (pace.mayBeOld(System.nanoTime(), PROBE_AFTER_NS)) {
            ask(bytes, question, listener);
        }
    }

    /** Questions that wait are not asked any more, and hear so; who is under way is not waited for. */
    @Override
    public void close() {
        List<Asked<?>> waited;
        synchronized (this) {
            closed = true;
            waited = List.copyOf(waiting);
            waiting.clear();
        }
        for (Asked<?> asked : waited) {
            pace.said(asked.begun());
            asked.listener().answered(null, new ClosedChannelException());
        }
    }
}
