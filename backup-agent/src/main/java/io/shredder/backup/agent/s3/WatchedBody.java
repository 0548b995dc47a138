// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, which must be taken bit by bit. Java's connections have no time limit for what is written: who
 * takes no more of it and keeps the connection would be waited for until the connection breaks. So it is broken here
 * when a part isn't taken in time. For one thread; another, {@code store-silence}, breaks connections.
 */
final class WatchedBody extends OutputStream {

    /** The longest TLS record. */
    private static final int PART_BYTES = 1 << 14;

    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final ScheduledThreadPoolExecutor WATCH = watch();

    private final HttpURLConnection connection;
    private final OutputStream body;
    private final Duration silence;
    private volatile boolean gaveUp;

    /**
     * A body of a connection that has begun.
     *
     * @param silence how long a part of 16 KiB may take
     */
    WatchedBody(HttpURLConnection connection, Duration silence) throws IOException {
        this.connection = connection;
        this.body = connection.getOutputStream();
        this.silence = silence;
    }

    private static ScheduledThreadPoolExecutor watch() {
        ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, work -> {
            Thread started = new Thread(work, "store-silence");
            started.setDaemon(true);
            return started;
        });
        watch.setRemoveOnCancelPolicy(true);
        watch.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
        watch.allowCoreThreadTimeOut(true);
        return watch;
    }

    private interface Step {
        void run() throws IOException;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        for (int done = 0; done < length; done += PART_BYTES) {
            int at = from + done;
            int part = Math.min(PART_BYTES, length - done);
            inTime(() -> body.write(bytes, at, part));
        }
    }

    @Override
    public void flush() throws IOException {
        inTime(body::flush);
    }

    private void inTime(Step step) throws IOException {
        Future<?> end = WATCH.schedule(this::giveUp, silence.toMillis(), TimeUnit.MILLISECONDS);
        @Nullable IOException problem = null;
        try {
            step.run();
        } catch (IOException e) {
            problem = e;
        } finally {
            end.cancel(false);
        }
        if (gaveUp) {
            SocketTimeoutException silent = new SocketTimeoutException(
                    "the object store has taken nothing of a request for " + silence.toSeconds() + " s");
            silent.initCause(problem);
            throw silent;
        } else if (problem != null) {
            throw problem;
        }
    }

    private void giveUp() {
        gaveUp = true;
        connection.disconnect();
    }
}
