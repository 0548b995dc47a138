// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a store's keepers what they lack while the store is in use, in a thread named {@code keepers-rebuild}: new ones
 * everything, and those that were away what was written meanwhile. What can't be given yet is tried again. The storage
 * closes it.
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

    /** Begins if there is a keeper that lacks something and the store can be changed. */
    public static void start(DispersedStorage storage) {
        start(storage, PAUSE);
    }

    /**
     * The same.
     *
     * @param pause after a pass that could not give everything
     */
    static void start(DispersedStorage storage, Duration pause) {
        BackgroundRebuild rebuild = new BackgroundRebuild(storage, pause);
        if (!storage.isReadOnly() && storage.keepers().all().stream().anyMatch(rebuild::isOwed)) {
            storage.closeBefore(rebuild);
            rebuild.thread.start();
        }
    }

    private boolean isOwed(Keeper keeper) {
        return !keeper.isWhole() || (keeper.takesChanges() && storage.versions().lackedBy(keeper) > 0);
    }

    private void run() {
        Map<Keeper, List<String>> owed = new LinkedHashMap<>();
        storage.keepers().all().stream().filter(this::isOwed).forEach(keeper -> owed.put(keeper, List.of()));
        try {
            while (!owed.isEmpty()) {
                for (Keeper keeper : List.copyOf(owed.keySet())) {
                    fill(keeper, owed);
                }
                if (!owed.isEmpty()) {
                    await();
                }
            }
        } catch (InterruptedIOException e) {
            LOG.debug("no keeper is given anything any more", e);
        }
    }

    /**
     * Gives it what can be given now. A keeper that hangs holds the others up until it is silent.
     *
     * @param owed keepers that lack something, and what of that could not be given and was told
     */
    private void fill(Keeper keeper, Map<Keeper, List<String>> owed) throws InterruptedIOException {
        try {
            List<String> left = pass(keeper);
            if (left.isEmpty()) {
                owed.remove(keeper);
            } else if (!left.equals(owed.put(keeper, left))) {
                LOG.warn("keeper {} can't be given {} files yet: {}", keeper, left.size(), left);
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            owed.remove(keeper);
            LOG.warn("keeper {} is not filled before the agent is started again: {}", keeper, e.toString());
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
