// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.shredder.backup.server.care.CareSite;
import java.io.Closeable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/**
 * Files of snapshots that people have had listed at the console: two listings at once, each in a thread {@code
 * files-list-N} by a process behind a sandbox, cut off after two minutes by {@code files-limit}. Thread-safe.
 */
public final class Listings implements Closeable {

    private static final int MOST_AT_ONCE = 2;
    private static final int MOST_REMEMBERED = 10;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Supplier<CareSite> site;
    private final Duration longest;
    private final WorkList<RunningListing> all = new WorkList<>(MOST_REMEMBERED);
    private final ScheduledThreadPoolExecutor limiting = new ScheduledThreadPoolExecutor(
            1,
            new ThreadFactoryBuilder()
                    .setNameFormat("files-limit")
                    .setDaemon(true)
                    .build());
    private boolean closed;

    /**
     * Lists nothing yet.
     *
     * @param site as the configuration that is used now has it
     */
    public Listings(Supplier<CareSite> site) {
        this(site, LONGEST);
    }

    Listings(Supplier<CareSite> site, Duration longest) {
        this.site = site;
        this.longest = longest;
    }

    /** Why nothing more can be listed now; empty if it can. */
    public synchronized Optional<String> refusal() {
        if (closed) {
            return Optional.of("the daemon is about to end");
        }
        return all.running().size() < MOST_AT_ONCE
                ? Optional.empty()
                : Optional.of(MOST_AT_ONCE + " listings are made already: wait for one");
    }

    /**
     * Begins one.
     *
     * @return its number
     * @throws IllegalStateException if that was refused
     */
    public synchronized long start(ListingOrder order) {
        Optional<String> refused = refusal();
        if (refused.isPresent()) {
            throw new IllegalStateException(refused.get());
        }
        RunningListing listing = all.add(number -> new RunningListing(number, order, site.get(), longest, limiting));
        listing.start();
        return listing.status().number();
    }

    /** How it stands; empty if there is none of that number any more. */
    public Optional<ListingStatus> status(long number) {
        return all.find(number).map(RunningListing::status);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        all.running().forEach(RunningListing::stop);
        limiting.shutdownNow();
    }
}
