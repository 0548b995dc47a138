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
 * Sends what people should know, in its order, from a thread of its own, and again until it was taken. Never holds up
 * who calls. Addresses may hold secrets, so that only their hosts are logged. What waits for one host holds up the
 * rest: each way to people has a sender of its own.
 */
final class AlertSender implements Closeable {

    /** What is sent later, if nobody takes it now; the oldest are dropped, and that is logged. */
    static final int MOST_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final long NANOS_OF_A_MILLI = 1_000_000;

    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private final Duration firstPause;
    private final Thread thread = new Thread(this::run, "alerts");
    private boolean closed;

    /** @param firstPause before something that was not taken is sent again; doubled each time */
    AlertSender(Duration firstPause) {
        this.firstPause = firstPause;
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns at once. */
    synchronized void add(Outgoing next) {
        if (waiting.size() == MOST_WAITING) {
            waiting.removeFirst();
            LOG.warn("an alert for {} is dropped, {} others wait", next.host(), waiting.size());
        }
        waiting.addLast(next);
        notifyAll();
    }

    private void run() {
        try {
            Duration pause = firstPause;
            for (Outgoing next = first(); next != null; next = first()) {
                if (wasTaken(next)) {
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

    private static boolean wasTaken(Outgoing next) throws InterruptedException {
        try {
            next.send();
            return true;
        } catch (IOException e) {
            LOG.warn("{} does not take an alert: {}; sent again later", next.host(), e.toString());
            return false;
        }
    }

    private synchronized @Nullable Outgoing first() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        return waiting.peekFirst();
    }

    private synchronized void drop(Outgoing sent) {
        waiting.remove(sent);
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
                LOG.warn("{} alerts were not taken by anybody", waiting.size());
            }
        }
    }
}
