// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a store's keepers whole while the store is in use, in a thread named {@code keepers-rebuild}. Those that were
 * away take part again once they are back. New ones are given everything, and others what they lack. What can't be
 * given yet is tried again. The storage closes it.
 */
public final class BackgroundRebuild implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundRebuild.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final DispersedStorage storage;
    private final Readmission readmission;
    private final Pauses pauses;
    private final Duration pause;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "keepers-rebuild");

    /** Why keepers could not be given everything, as was said. */
    private final Map<Integer, String> told = new HashMap<>();

    private @Nullable Rebuild running;

    private BackgroundRebuild(DispersedStorage storage, List<KeeperHome> homes, Duration pause) {
        this.storage = storage;
        this.pauses = new Pauses(pause);
        this.readmission = new Readmission(storage, homes, new Pauses(pause), this::isEnded);
        this.pause = pause;
        thread.setDaemon(true);
    }

    /**
     * Begins if the store can be changed.
     *
     * @param homes of all keepers, in the order of places
     */
    public static void start(DispersedStorage storage, List<KeeperHome> homes) {
        start(storage, homes, PAUSE);
    }

    /**
     * The same.
     *
     * @param pause between two looks at the keepers
     */
    static void start(DispersedStorage storage, List<KeeperHome> homes, Duration pause) {
        if (!storage.isReadOnly()) {
            BackgroundRebuild rebuild = new BackgroundRebuild(storage, homes, pause);
            storage.closeBefore(rebuild);
            rebuild.thread.start();
        }
    }

    private void run() {
        try {
            while (!isEnded()) {
                readmission.run();
                for (Keeper keeper : storage.keepers().all()) {
                    if (!isEnded() && pauses.isDue(keeper.index()) && isOwed(keeper)) {
                        fill(keeper);
                    }
                }
                await();
            }
        } catch (InterruptedIOException e) {
            LOG.debug("no keeper is given anything any more", e);
        }
    }

    private boolean isEnded() {
        return closing.getCount() == 0;
    }

    /** Whether it lacks something that may be given now: what is being written it gets once it is. */
    private boolean isOwed(Keeper keeper) {
        Set<String> lacks = storage.versions().lacking().files(keeper);
        boolean lacksSome = !lacks.isEmpty()
                && storage.versions().all().stream()
                        .anyMatch(version -> lacks.contains(version.name())
                                && storage.growsAt(version).isEmpty());
        return keeper.takesChanges() && (lacksSome || !keeper.isWhole());
    }

    /** Gives it what can be given now. A keeper that hangs holds the others up until it is silent. */
    private void fill(Keeper keeper) {
        String why;
        try {
            List<String> left = pass(keeper);
            why = left.isEmpty() ? "" : left.size() + " files: " + left;
        } catch (IOException | RuntimeException e) {
            why = e.toString();
        }
        if (why.isEmpty()) {
            pauses.forget(keeper.index());
        } else {
            pauses.tried(keeper.index());
        }
        if (!why.equals(told.put(keeper.index(), why)) && !why.isEmpty() && !isEnded()) {
            LOG.warn("keeper {} can't be given everything yet, which is tried again: {}", keeper, why);
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
            if (report.files() > 0) {
                LOG.info("keeper {} was given {} files, {} bytes", keeper, report.files(), report.bytes());
            }
            return report.left();
        } catch (TooFewOthersException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private synchronized Rebuild begin(Keeper keeper) throws IOException {
        if (isEnded()) {
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
