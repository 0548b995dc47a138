// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.care.RoomTrend;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.keepers.KeepersState;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of the store by walking it, which takes long where it is large or far. It is done when somebody looks
 * and what is known is old, in a thread {@code console-store}; nobody waits for it. Only the room that is left is asked
 * for each hour.
 */
final class StoreCount implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreCount.class);
    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final long CLOSE_SECONDS = 10;
    private static final int MOST_PROBLEMS = 50;

    private final Repository repository;
    private final Clock clock;
    private final AtomicBoolean counting = new AtomicBoolean();
    private final RoomTrend trend = new RoomTrend();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread started = new Thread(work, "console-store");
        started.setDaemon(true);
        return started;
    });
    private volatile Known known = new Known(Optional.empty(), Optional.empty());
    private volatile Optional<RoomTrend.Trend> room = Optional.empty();
    private volatile Instant tried = Instant.MIN;

    /**
     * What a walk found.
     *
     * @param at when
     * @param usableBytes how many can still be added; the largest number where there is no limit
     * @param problems of the catalogue, the first of them in words
     * @param keepers if the store is spread over several
     */
    record Counted(
            Instant at,
            int containers,
            long containerBytes,
            long usableBytes,
            int problemCount,
            List<String> problems,
            Optional<KeepersState> keepers) {}

    /**
     * What is known now.
     *
     * @param counted by the last walk that came to its end; empty before the first
     * @param failure why the last one did not
     */
    record Known(Optional<Counted> counted, Optional<String> failure) {}

    /** Begins to count, and looks at the room that is left each hour, whether somebody asks or not. */
    StoreCount(Repository repository, Clock clock) {
        this.repository = repository;
        this.clock = clock;
        latest();
        var unused = thread.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.HOURS);
    }

    /** Where there is no limit there is no trend. */
    synchronized void sample() {
        try {
            long usable = repository.chunks().containers().storage().usableBytes();
            if (usable < Long.MAX_VALUE) {
                trend.add(clock.instant(), usable);
                room = trend.trend();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("the console can't ask what room the store has: {}", CommandErrors.describe(e));
        }
    }

    /** How the room that is left changes. */
    Optional<RoomTrend.Trend> room() {
        return room;
    }

    /** What is known now; has it counted anew if that is old. */
    Known latest() {
        if (clock.instant().isAfter(tried.plus(FRESH)) && counting.compareAndSet(false, true)) {
            thread.execute(this::count);
        }
        return known;
    }

    private void count() {
        try {
            known = new Known(Optional.of(walk()), Optional.empty());
        } catch (IOException | RuntimeException e) {
            LOG.warn("the console can't count the store: {}", CommandErrors.describe(e));
            known = new Known(known.counted(), Optional.of(CommandErrors.describe(e)));
        } finally {
            tried = clock.instant();
            counting.set(false);
        }
    }

    private Counted walk() throws IOException {
        ContainerFolder containers = repository.chunks().containers();
        Collection<Long> sizes = containers.sizes().values();
        Catalogue catalogue = repository.catalogue();
        List<String> problems = catalogue.problems();
        return new Counted(
                clock.instant(),
                sizes.size(),
                sizes.stream().mapToLong(Long::longValue).sum(),
                containers.storage().usableBytes(),
                problems.size(),
                problems.stream().limit(MOST_PROBLEMS).toList(),
                containers.storage().keepersState());
    }

    /** Waits until nobody counts. No interrupt: that would close files that sessions have open. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the store is still being counted for the console");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
