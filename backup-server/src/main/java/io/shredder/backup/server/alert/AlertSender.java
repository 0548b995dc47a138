// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what people should know, in its order, from a thread of its own, and again until it was taken. Never holds up
 * who calls. Addresses may hold secrets, so that only their hosts are logged.
 */
final class AlertSender implements Closeable {

    /** What is sent later, if nobody takes it now; the oldest are dropped, and that is logged. */
    static final int MOST_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final long NANOS_OF_A_MILLI = 1_000_000;
    private static final int OK = 200;
    private static final int NOT_OK = 300;

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(ANSWER)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private final Deque<HttpRequest> waiting = new ArrayDeque<>();
    private final Duration firstPause;
    private final Thread thread = new Thread(this::run, "alerts");
    private boolean closed;

    /** @param firstPause before something that was not taken is sent again; doubled each time */
    AlertSender(Duration firstPause) {
        this.firstPause = firstPause;
        thread.setDaemon(true);
        thread.start();
    }

    /** Posts a body. */
    void post(URI address, AlertBody body) {
        add(HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("Content-Type", body.contentType())
                .header("User-Agent", "shredder-backup")
                .POST(HttpRequest.BodyPublishers.ofString(body.text()))
                .build());
    }

    /** Asks for a page. */
    void get(URI address) {
        add(HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("User-Agent", "shredder-backup")
                .GET()
                .build());
    }

    private synchronized void add(HttpRequest request) {
        if (waiting.size() == MOST_WAITING) {
            waiting.removeFirst();
            LOG.warn("an alert for {} is dropped, {} others wait", request.uri().getHost(), waiting.size());
        }
        waiting.addLast(request);
        notifyAll();
    }

    private void run() {
        try {
            Duration pause = firstPause;
            for (HttpRequest next = first(); next != null; next = first()) {
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

    private boolean wasTaken(HttpRequest request) throws InterruptedException {
        String host = request.uri().getHost();
        try {
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status >= OK && status < NOT_OK) {
                return true;
            }
            LOG.warn("{} does not take an alert: it answers {}; sent again later", host, status);
        } catch (IOException e) {
            LOG.warn("{} does not take an alert: {}; sent again later", host, e.toString());
        }
        return false;
    }

    private synchronized @Nullable HttpRequest first() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        return waiting.peekFirst();
    }

    private synchronized void drop(HttpRequest sent) {
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
