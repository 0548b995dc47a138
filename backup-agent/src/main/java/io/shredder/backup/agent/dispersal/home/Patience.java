// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import com.google.common.base.Throwables;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a place elsewhere that may hang. Whoever asks waits for so long at most. A place that didn't answer, or that
 * failed, is silent from then on: whoever asks is refused at once. Beside that it is asked for a sign of life, at once
 * and then after each pause, and with one it is no longer silent. Safe for any number of threads; what is asked runs in
 * daemon threads of its own, {@code keeper-calls}.
 */
public final class Patience {

    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    /**
     * How long to wait.
     *
     * @param answer for each answer
     * @param pause between two questions to a place that is silent
     */
    public record Limits(Duration answer, Duration pause) {
        /** Limits that suit most places. */
        public static final Limits DEFAULT = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(30));
    }

    /** A question. */
    @FunctionalInterface
    public interface Asking<T> {
        T ask() throws IOException;
    }

    /** Whoever waits for a sign of life has it asked for so many times as long as an answer may take. */
    private static final int SIGNS = 60;

    private final String place;
    private final Limits limits;
    private final Asking<?> sign;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "keeper-calls");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable String whySilent;
    private long silentSinceNs;
    private boolean askedForASign;
    private long askedNs;
    private long askAgainNs;

    /**
     * Asks nothing yet.
     *
     * @param place for messages
     * @param sign any question that changes nothing
     */
    public Patience(String place, Limits limits, Asking<?> sign) {
        this.place = place;
        this.limits = limits;
        this.sign = sign;
    }

    /** Asks, and waits for the answer. */
    public <T> T ask(Asking<T> asking) throws IOException {
        return ask(1, asking);
    }

    /**
     * Asks what may take longer. An answer that comes too late is closed, if it can be.
     *
     * @param times as long as for other questions
     */
    public <T> T ask(int times, Asking<T> asking) throws IOException {
        refuseIfSilent();
        CompletableFuture<T> answer = new CompletableFuture<>();
        Future<?> running = threads.submit(() -> answer(asking, answer));
        Duration limit = limits.answer().multipliedBy(times);
        try {
            return await(answer, limit);
        } catch (TimeoutException e) {
            IOException late = late(limit);
            if (answer.completeExceptionally(late)) {
                running.cancel(true);
                fallSilent(late);
                throw late;
            }
            return answer.join();
        } catch (IOException e) {
            if (!says(e)) {
                fallSilent(e);
            }
            throw e;
        }
    }

    /**
     * Asks what answers by itself, and doesn't wait.
     *
     * @param asked begins the question, and doesn't wait either; empty if that can't be
     * @return the answer, or what {@link #ask} throws
     */
    <T> Optional<CompletableFuture<T>> askBeside(Asking<Optional<CompletableFuture<T>>> asked) throws IOException {
        refuseIfSilent();
        return asked.ask().map(this::judged);
    }

    private <T> CompletableFuture<T> judged(CompletableFuture<T> answer) {
        Duration limit = limits.answer();
        CompletableFuture<T> judged = new CompletableFuture<>();
        var unused = answer.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS).whenComplete((value, problem) -> {
            if (problem == null) {
                judged.complete(value);
            } else {
                judged.completeExceptionally(judged(problem, limit));
            }
        });
        return judged;
    }

    /** What an answer that failed, or didn't come, says of the place. */
    private Throwable judged(Throwable problem, Duration limit) {
        Throwable cause = Throwables.getRootCause(problem);
        IOException failure = cause instanceof TimeoutException
                ? late(limit)
                : Throwables.getCausalChain(problem).stream()
                        .filter(IOException.class::isInstance)
                        .map(IOException.class::cast)
                        .findFirst()
                        .orElseGet(() -> new IOException(problem));
        if (!says(failure)) {
            fallSilent(failure);
        }
        return failure;
    }

    private IOException late(Duration limit) {
        return new IOException(place + " didn't answer within " + limit.toMillis() / 1000.0 + " s");
    }

    private static <T> void answer(Asking<T> asking, CompletableFuture<T> answer) {
        try {
            T value = asking.ask();
            if (!answer.complete(value) && value instanceof Closeable late) {
                late.close();
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            answer.completeExceptionally(e);
        }
    }

    private static <T> T await(CompletableFuture<T> answer, Duration limit) throws IOException, TimeoutException {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // The answer has a limit, and a change ends before anybody hears of it.
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException problem) {
                throw problem;
            }
            if (e.getCause() instanceof LinkageError missing) {
                throw missing;
            }
            throw new IllegalStateException("a bug in what a keeper was asked", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the place answered, if not with what was hoped for. */
    private static boolean says(IOException problem) {
        return problem instanceof NoSuchFileException
                || problem instanceof EOFException
                || problem instanceof DamagedDataException
                || problem instanceof ClosedChannelException
                || problem instanceof HomeInUseException
                || problem instanceof OtherWriterException;
    }

    /** Does what needs no answer, and waits for it if the place isn't silent. */
    <T> void let(Asking<T> asking) throws IOException {
        if (isSilent()) {
            threads.execute(() -> answer(asking, new CompletableFuture<>()));
        } else {
            ask(asking);
        }
    }

    /** For whoever waits for it: while it is awaited, it is asked for more often. */
    public synchronized SignOfLife signOfLife() {
        if (whySilent == null) {
            return SignOfLife.GIVEN;
        }
        long nowNs = System.nanoTime();
        long answerNs = limits.answer().toNanos();
        if (nowNs - silentSinceNs > answerNs) {
            return SignOfLife.NONE;
        }
        if (nowNs - askedNs > answerNs / SIGNS) {
            askAgainNs = nowNs;
            askForASign();
        }
        return SignOfLife.AWAITED;
    }

    private synchronized boolean isSilent() {
        return whySilent != null;
    }

    private synchronized void refuseIfSilent() throws IOException {
        if (whySilent != null) {
            IOException refusal = new IOException(place + " is not asked before it gives a sign of life: " + whySilent);
            askForASign();
            throw refusal;
        }
    }

    private synchronized void fallSilent(IOException problem) {
        if (whySilent == null) {
            silentSinceNs = System.nanoTime();
            askAgainNs = silentSinceNs;
        }
        whySilent = String.valueOf(problem.getMessage());
        askForASign();
    }

    private synchronized void askForASign() {
        if (askedForASign || System.nanoTime() - askAgainNs < 0) {
            return;
        }
        askedForASign = true;
        threads.execute(() -> {
            boolean alive = false;
            try {
                sign.ask();
                alive = true;
            } catch (IOException | RuntimeException | LinkageError e) {
                LOG.debug("{} gives no sign of life: {}", place, e.toString());
            } finally {
                noteSign(alive);
            }
        });
    }

    private synchronized void noteSign(boolean alive) {
        askedForASign = false;
        askedNs = System.nanoTime();
        askAgainNs = askedNs + limits.pause().toNanos();
        if (alive) {
            whySilent = null;
        }
    }
}
