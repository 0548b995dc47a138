// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that is done whenever somebody asked for it, one at a time. What fails is logged, and done when it is asked
 * for again.
 */
final class BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundWork.class);

    /** What to do. */
    interface Step {
        void run() throws IOException;
    }

    private final String what;
    private final Step step;
    private final Executor executor;
    private boolean wanted;
    private boolean running;
    private @Nullable Throwable failure;

    BackgroundWork(String what, Step step, Executor executor) {
        this.what = what;
        this.step = step;
        this.executor = executor;
    }

    /** Asks for the step: it begins after this call at the earliest. */
    void wake() {
        synchronized (this) {
            wanted = true;
            if (running) {
                return;
            }
            running = true;
        }
        try {
            executor.execute(this::work);
        } catch (RuntimeException | Error e) { // No thread may be left.
            ended(e);
            throw e;
        }
    }

    private synchronized void ended(Throwable why) {
        failure = why;
        running = false;
        notifyAll();
    }

    private void work() {
        while (takeWish()) {
            Throwable failed = null;
            try {
                step.run();
            } catch (IOException | RuntimeException | Error e) { // Whoever waits must not wait for ever.
                LOG.warn("the index can't {} now and will try again: {}", what, e.toString());
                failed = e;
            }
            synchronized (this) {
                failure = failed;
            }
        }
    }

    private synchronized boolean takeWish() {
        boolean again = wanted;
        wanted = false;
        if (!again) {
            running = false;
            notifyAll();
        }
        return again;
    }

    /** Why the last step failed, or null. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Waits until nothing is wanted. */
    synchronized void awaitIdle() throws IOException {
        while (running) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the index is about to " + what);
            }
        }
    }
}
