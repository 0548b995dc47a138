// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.posix.ThreadNiceness;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.care.PrunePlan;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Images' series as the agent has them. Nobody waits here: threads {@code agent-view-N} ask, and what they were told is
 * shown for a minute. {@code agent-view-limit} cuts off an agent that takes too long. Thread-safe.
 */
public final class SeriesViews implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(SeriesViews.class);

    /** Whoever looks on within that time sees the same. */
    private static final Duration SHOWN_FOR = Duration.ofMinutes(1);

    /** An agent that fails is not asked again at once. */
    private static final Duration FAILURE_STANDS_FOR = Duration.ofSeconds(5);

    private static final Duration USUAL_LIMIT = Duration.ofSeconds(30);
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 16;

    /** Of all series that are kept, unless one alone has more: some 20 MB. */
    private static final int MOST_SNAPSHOTS = 20_000;

    private final Supplier<CareSite> site;
    private final Duration limit;
    private final Map<SnapshotName, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final ThreadPoolExecutor asking = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(MOST_WAITING),
            new ThreadFactoryBuilder()
                    .setThreadFactory(task -> new Thread(() -> giveWay(task)))
                    .setNameFormat("agent-view-%d")
                    .setDaemon(true)
                    .build());
    private final ScheduledThreadPoolExecutor limiting = new ScheduledThreadPoolExecutor(
            1,
            new ThreadFactoryBuilder()
                    .setNameFormat("agent-view-limit")
                    .setDaemon(true)
                    .build());

    /** How a question stands. */
    public sealed interface Look permits Seen, Failed, Asked {}

    /** The agent's answer. */
    public record Seen(SeriesView view) implements Look {}

    /**
     * There is none.
     *
     * @param reason in words
     */
    public record Failed(String reason) implements Look {}

    /** It is to come. */
    public record Asked() implements Look {}

    /** @param sinceNs when it became so */
    private record Entry(Look look, long sinceNs) {

        boolean isWithin(Duration time) {
            return System.nanoTime() - sinceNs < time.toNanos();
        }

        int snapshots() {
            return look instanceof Seen seen
                    ? seen.view().series().proved().size()
                            + seen.view().series().unproved().size()
                    : 0;
        }
    }

    /**
     * Asks nothing yet.
     *
     * @param site as the configuration that is used now has it
     */
    public SeriesViews(Supplier<CareSite> site) {
        this(site, USUAL_LIMIT);
    }

    SeriesViews(Supplier<CareSite> site, Duration limit) {
        this.site = site;
        this.limit = limit;
        limiting.setRemoveOnCancelPolicy(true);
    }

    /** Backups go first, however much somebody looks. */
    private static void giveWay(Runnable task) {
        ThreadNiceness.giveWay();
        task.run();
    }

    /** What is known of an image's series now; if nothing is, the agent is asked. */
    public synchronized Look look(SnapshotName image) {
        Entry entry = entries.get(image);
        if (entry != null && entry.look() instanceof Asked) {
            return entry.isWithin(limit) ? entry.look() : late();
        } else if (entry != null && entry.isWithin(entry.look() instanceof Failed ? FAILURE_STANDS_FOR : SHOWN_FOR)) {
            return entry.look();
        }
        try {
            asking.execute(() -> ask(image));
        } catch (RejectedExecutionException e) {
            LOG.debug("the agent is not asked for {}", image, e);
            return new Failed("the agent is asked for so much else that it can't be asked for " + image
                    + ": ask again in half a minute");
        }
        return note(image, new Asked());
    }

    private synchronized Look note(SnapshotName image, Look look) {
        entries.put(image, new Entry(look, System.nanoTime()));
        int kept = entries.values().stream().mapToInt(Entry::snapshots).sum();
        Iterator<Map.Entry<SnapshotName, Entry>> oldest = entries.entrySet().iterator();
        while (kept > MOST_SNAPSHOTS && oldest.hasNext()) {
            Map.Entry<SnapshotName, Entry> each = oldest.next();
            if (!each.getKey().equals(image) && each.getValue().snapshots() > 0) {
                kept -= each.getValue().snapshots();
                oldest.remove();
            }
        }
        return look;
    }

    private Failed late() {
        return new Failed("the agent has not answered within " + limit.toSeconds() + " s: see whether it runs");
    }

    private void ask(SnapshotName image) {
        Look look;
        try {
            look = asked(site.get(), image);
        } catch (IOException | RuntimeException e) {
            look = new Failed(CommandErrors.describe(e));
        }
        var unused = note(image, look);
    }

    private Look asked(CareSite now, SnapshotName image) throws IOException {
        RepositoryKey key = now.key();
        try (AgentClient agent = now.connect(limit)) {
            Future<?> end = limiting.schedule(() -> cutOff(agent), limit.toMillis(), TimeUnit.MILLISECONDS);
            try {
                return new Seen(view(now, agent, key, image));
            } catch (IOException e) {
                if (end.isDone()) {
                    return late();
                }
                throw e;
            } finally {
                end.cancel(false);
            }
        }
    }

    private static void cutOff(AgentClient agent) {
        try {
            agent.close();
        } catch (IOException e) {
            LOG.debug("an agent that is late is cut off", e);
        }
    }

    private static SeriesView view(CareSite now, AgentClient agent, RepositoryKey key, SnapshotName image)
            throws IOException {
        Instant asOf = now.now();
        AgentSeries.Listing listed = AgentSeries.list(agent, image);
        ProvedSeries series = ProvedSeries.of(listed.snapshots(), key, AgentSeries.home(agent));
        List<String> alarms = new ArrayList<>(series.breaks());
        alarms.addAll(now.known().contradictions(agent, listed.snapshots(), image::equals));
        return new SeriesView(asOf, series, listed.damaged(), alarms, pruning(now, image, series));
    }

    private static SeriesView.Pruning pruning(CareSite now, SnapshotName image, ProvedSeries series) {
        try {
            return judged(now, image, series);
        } catch (IOException e) {
            return without("what speaks against it can't be known: " + CommandErrors.describe(e));
        }
    }

    private static SeriesView.Pruning judged(CareSite now, SnapshotName image, ProvedSeries series) throws IOException {
        ServerConfig config = now.config();
        Optional<JobConfig> job = config.jobs().stream()
                .filter(each -> each.sourceOf(image).isPresent())
                .findFirst();
        if (job.isEmpty()) {
            return without("no job of the configuration backs " + image + " up, so nothing of it is deleted");
        } else if (job.get().keep().isEmpty()) {
            return without("job " + job.get().name() + " does not say what to 'keep', so all snapshots stay");
        } else if (series.proved().isEmpty()) {
            return without("the agent has no snapshot of " + image + " that the key proves");
        }
        Optional<CareConfig> care = config.care().stream()
                .filter(each -> each.work() instanceof CareConfig.Prune prune
                        && prune.jobs().stream().anyMatch(pruned -> pruned.name()
                                .equals(job.get().name())))
                .findFirst();
        int mostNew =
                care.map(each -> ((CareConfig.Prune) each.work()).mostNew()).orElse(CareConfig.Prune.USUAL_MOST_NEW);
        PrunePlan plan =
                PrunePlan.of(now, job.get(), job.get().sourceOf(image).orElseThrow(), series.proved(), mostNew);
        return new SeriesView.Pruning(Optional.of(plan), care.map(CareConfig::name), "");
    }

    private static SeriesView.Pruning without(String reason) {
        return new SeriesView.Pruning(Optional.empty(), Optional.empty(), reason);
    }

    @Override
    public void close() {
        asking.shutdownNow();
        limiting.shutdownNow();
    }
}
