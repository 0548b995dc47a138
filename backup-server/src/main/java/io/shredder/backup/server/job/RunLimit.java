// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the threads of a run, and interrupts them once its time is over, or whoever waits is interrupted. A thread
 * that then doesn't end, since whatever it reads from hangs, is waited for all the same: a job never runs twice at
 * once. For one thread; {@link #isOver} for any.
 */
final class RunLimit {

    private final Optional<Duration> limit;
    private final Duration grace;
    private volatile boolean over;
    private volatile Optional<String> ending = Optional.empty();

    /**
     * A run begins.
     *
     * @param limit how long it may take, if that is limited
     * @param grace how long its threads may take to end after that before {@code onGrace} of {@link #join}
     */
    RunLimit(Optional<Duration> limit, Duration grace) {
        this.limit = limit;
        this.grace = grace;
    }

    /** The run is about to be interrupted, for this reason. */
    void ending(String why) {
        ending = Optional.of(why);
    }

    /** Whether the time is over, or the run is ended for a reason. */
    boolean isOver() {
        return over || ending.isPresent();
    }

    /** What an image that was given up for it failed by. */
    String text() {
        if (ending.isPresent()) {
            return "the backup was ended: " + ending.get();
        }
        return "the job's time limit of " + limit.orElse(Duration.ZERO).toSeconds()
                + " s is over, and the backup was given up: see what held it up, or raise the job's 'time-limit'";
    }

    /**
     * Waits for all of them; an interrupt is kept.
     *
     * @param onGrace run once if threads are left when the grace is over, too
     */
    void join(List<Thread> threads, Runnable onGrace) {
        long startNs = System.nanoTime();
        boolean interrupted = false;
        boolean graceOver = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join(waitMs(startNs, graceOver));
                } catch (InterruptedException e) {
                    interrupted = true;
                    threads.forEach(Thread::interrupt);
                }
                if (!over && isPast(startNs, Duration.ZERO)) {
                    over = true;
                    threads.forEach(Thread::interrupt);
                } else if (!graceOver && isPast(startNs, grace) && thread.isAlive()) {
                    graceOver = true;
                    onGrace.run();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isPast(long startNs, Duration more) {
        return limit.isPresent()
                && System.nanoTime() - startNs >= limit.get().plus(more).toNanos();
    }

    /** Until there is something to do; 0 is for ever. */
    private long waitMs(long startNs, boolean graceOver) {
        if (limit.isEmpty() || graceOver) {
            return 0;
        }
        Duration next = over ? limit.get().plus(grace) : limit.get();
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(startNs + next.toNanos() - System.nanoTime()) + 1);
    }
}
