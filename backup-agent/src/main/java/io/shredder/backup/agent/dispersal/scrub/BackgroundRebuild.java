// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a store's new keepers while the store is in use, in a thread named {@code keepers-rebuild}. What can't be given
 * yet is tried again. The storage closes it.
 */
public final class BackgroundRebuild implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundRebuild.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final DispersedStorage storage;
    private final Duration pause;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "keepers-rebuild");
    private @Nullable Rebuild running;

    private BackgroundRebuild(DispersedStorage storage, Duration pause) {
        this.storage = storage;
        this.pause = pause;
        thread.setDaemon(true);
    }

    /** Begins if there is a keeper to be filled and the store can be changed. */
    public static void start(DispersedStorage storage) {
        start(storage, PAUSE);
    }

    /**
     * The same.
     *
     * @param pause after a pass that could not give everything
     */
    static void start(DispersedStorage storage, Duration pause) {
        boolean needed = storage.keepers().all().stream().anyMatch(keeper -> !keeper.isWhole());
        if (needed && !storage.isReadOnly()) {
            BackgroundRebuild rebuild = new BackgroundRebuild(storage, pause);
            storage.closeBefore(rebuild);
            rebuild.thread.start();
        }
    }

    private void run() {
        for (Keeper keeper : storage.keepers().all()) {
            try {
                fill(keeper);
            } catch (InterruptedIOException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOG.warn("keeper {} is not filled before the agent is started again: {}", keeper, e.toString());
            }
        }
    }

    private void fill(Keeper keeper) throws IOException {
        List<String> told = List.of();
        while (!keeper.isWhole()) {
            List<String> left = pass(keeper);
            if (!left.isEmpty()) {
                if (!left.equals(told)) {
                    LOG.warn("keeper {} can't be given {} files yet: {}", keeper, left.size(), left);
                    told = left;
                }
                await();
            }
        }
    }

    /**
     * Gives it what can be given now.
     *
     * @return what could not be, in words
     */
    private List<String> pass(Keeper keeper) throws IOException {
        Rebuild rebuild = begin(keeper);
        try {
            RebuildReport report = rebuild.run();
            LOG.info("keeper {} was given {} files, {} bytes", keeper, report.files(), report.bytes());
            return report.left();
        } catch (TooFewOthersException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private synchronized Rebuild begin(Keeper keeper) throws IOException {
        if (closing.getCount() == 0) {
            throw new InterruptedIOException("closed");
        }
        running = new Rebuild(storage, keeper, (done, total) -> {});
        return running;
    }

    private void await() throws InterruptedIOException {
        try {
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new InterruptedIOException("closed");
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Waits until the file that is being written is given up. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            closing.countDown();
            if (running != null) {
                running.stop();
            }
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a keeper was being filled");
        }
    }
}
