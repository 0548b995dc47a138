// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what people should know, in its order, from a thread of its own, and again until it was taken, or is refused
 * for good. Never holds up who calls. Addresses may hold secrets, so that only their hosts are logged. What waits for
 * one host holds up the rest: each way to people has a sender of its own.
 */
final class AlertSender implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);
    private static final int MOST_ALERTS = 1000;
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final long NANOS_OF_A_MILLI = 1_000_000;

    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private final String what;
    private final int mostWaiting;
    private final Duration firstPause;
    private final Thread thread = new Thread(this::run, "alerts");
    private boolean closed;

    private AlertSender(String what, int mostWaiting, Duration firstPause) {
        this.what = what;
        this.mostWaiting = mostWaiting;
        this.firstPause = firstPause;
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Of alerts; if too many wait, the oldest are dropped, and that is logged.
     *
     * @param firstPause before something that was not taken is sent again; doubled each time
     */
    static AlertSender ofAlerts(Duration firstPause) {
        return new AlertSender("an alert", MOST_ALERTS, firstPause);
    }

    /** Of pings, of which only the newest says anything. */
    static AlertSender ofPings(Duration firstPause) {
        return new AlertSender("a ping", 1, firstPause);
    }

    /** Returns at once. */
    synchronized void add(Outgoing next) {
        if (waiting.size() == mostWaiting) {
            waiting.removeFirst();
            LOG.warn("{} for {} is dropped: newer ones wait", what, next.host());
        }
        waiting.addLast(next);
        notifyAll();
    }

    private void run() {
        try {
            Duration pause = firstPause;
            for (Outgoing next = first(); next != null; next = first()) {
                if (isThrough(next)) {
                    drop(next);
                    pause = firstPause;
                } else {
                    rest(pause);
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it was taken, or never will be: then it would hold up all that comes after it. */
    private boolean isThrough(Outgoing next) throws InterruptedException {
        try {
            next.send();
            return true;
        } catch (NeverTakenException e) {
            LOG.error(
                    "{} refuses {}, which is dropped: {}: see whether its address and form are right",
                    next.host(),
                    what,
                    e.getMessage());
            return true;
        } catch (IOException e) {
            LOG.warn("{} does not take {}: {}; sent again later", next.host(), what, e.toString());
            return false;
        } catch (RuntimeException e) {
            LOG.error("{} for {} can't be sent, and is dropped: please report this", what, next.host(), e);
            return true;
        }
    }

    private synchronized @Nullable Outgoing first() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        return waiting.peekFirst();
    }

    private synchronized void drop(Outgoing sent) {
        if (waiting.peekFirst() == sent) { // Meanwhile it may have made room.
            waiting.removeFirst();
        }
        notifyAll();
    }

    private synchronized void rest(Duration pause) throws InterruptedException {
        if (closed) {
            throw new InterruptedException();
        }
        long until = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0 && !closed; left = until - System.nanoTime()) {
            wait(Math.max(1, left / NANOS_OF_A_MILLI));
        }
    }

    /** Sends what waits, if it is taken soon. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(ANSWER.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        synchronized (this) {
            if (!waiting.isEmpty()) {
                LOG.warn("not taken until the end: {} of the kind of {}", waiting.size(), what);
            }
        }
    }
}
