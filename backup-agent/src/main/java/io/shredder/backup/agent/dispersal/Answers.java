// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One question to several keepers, whose answers are taken as they come. When it is closed, what nobody has begun to
 * ask is taken back, and of what is under way the answers are dropped. For one thread.
 */
final class Answers<T> implements Closeable {

    private final long bytes;
    private final KeeperReads.Question<T> question;
    private final BlockingQueue<Answer<T>> come = new LinkedBlockingQueue<>();
    private final List<Runnable> cancels = new ArrayList<>();
    private long lateNs;
    private int outstanding;

    /**
     * Asks nobody yet.
     *
     * @param bytes of each answer, as far as is known
     */
    Answers(long bytes, KeeperReads.Question<T> question) {
        this.bytes = bytes;
        this.question = question;
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
        outstanding++;
        lateNs = System.nanoTime() + reads.pace().lateNs(bytes);
        cancels.add(
                reads.ask(bytes, question, (value, problem) -> come.add(new Answer<>(reads.keeper(), value, problem))));
    }

    /** How many were asked and have not answered yet. */
    int outstanding() {
        return outstanding;
    }

    /** The next answer, however long it takes. */
    Answer<T> await() {
        return take(Long.MAX_VALUE).orElseThrow();
    }

    /** The next answer; empty if the keeper that was asked last is late with it. */
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
                    outstanding -= next.isPresent() ? 1 : 0;
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

    @Override
    public void close() {
        if (outstanding > 0) {
            cancels.forEach(Runnable::run);
        }
    }
}
