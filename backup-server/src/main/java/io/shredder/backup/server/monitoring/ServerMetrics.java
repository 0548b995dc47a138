// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import java.io.Closeable;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The daemon's figures; {@code docs/OPERATING-BACKUP.md} lists them. Thread-safe. */
public final class ServerMetrics implements JobEvents, Closeable {

    private static final String PREFIX = "shredder.backup.";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Map<Figure, AtomicLong> gauges = new ConcurrentHashMap<>();
    private final Clock clock;

    /** A figure that is set. */
    private record Figure(String name, Tags tags) {
        boolean isOfJobBut(Set<String> jobs) {
            return tags.stream().anyMatch(tag -> tag.getKey().equals("job") && !jobs.contains(tag.getValue()));
        }
    }

    /** Begins at 0. */
    public ServerMetrics(Clock clock) {
        this.clock = clock;
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        collections.bindTo(registry);
        configurationRead(true);
    }

    /** In Prometheus' text format. */
    public String text() {
        return registry.scrape();
    }

    /** A configuration was read, or refused. */
    public void configurationRead(boolean ok) {
        set("config.ok", Tags.empty(), ok ? 1 : 0);
        if (ok) {
            set("config.loaded.timestamp.seconds", Tags.empty(), clock.instant().getEpochSecond());
        }
    }

    @Override
    public void jobStarted(String job) {
        set("job.running", Tags.of("job", job), 1);
    }

    @Override
    public void jobEnded(String job, boolean ok) {
        set("job.running", Tags.of("job", job), 0);
        set("job.last.ok", Tags.of("job", job), ok ? 1 : 0);
        registry.counter(PREFIX + "job.runs", "job", job, "result", ok ? "ok" : "failed")
                .increment();
    }

    /** Whether nothing advances of a backup that is under way. */
    void jobStalled(String job, boolean stalled) {
        set("job.stalled", Tags.of("job", job), stalled ? 1 : 0);
    }

    @Override
    public void jobMissed(String job) {
        registry.counter(PREFIX + "job.missed", "job", job).increment();
    }

    @Override
    public void imageEnded(String job, ImageOutcome outcome) {
        Tags tags = Tags.of("job", job, "image", outcome.image());
        Timer.builder(PREFIX + "image")
                .description("Backups of an image, with their hooks, waits and retries")
                .tags(tags.and("result", outcome.succeeded() ? "ok" : "failed"))
                .register(registry)
                .record(outcome.elapsed());
        if (outcome.report().isPresent()) {
            BackupReport report = outcome.report().get();
            set("image.last.success.timestamp.seconds", tags, clock.instant().getEpochSecond());
            set("image.size.bytes", tags, report.snapshot().imageBytes());
            count("read.bytes", tags, report.snapshot().imageBytes());
            count("sent.bytes", tags, report.sentBytes());
            count("new.bytes", tags, report.newBytes());
            count("new.chunks", tags, report.newChunks());
        }
    }

    @Override
    public void keepersSeen(KeepersState state) {
        set("store.seen.timestamp.seconds", Tags.empty(), clock.instant().getEpochSecond());
        set("store.epoch", Tags.empty(), state.epoch());
        set("store.writable", Tags.empty(), state.writable() ? 1 : 0);
        set("store.readable", Tags.empty(), state.readable() ? 1 : 0);
        set("store.spare.to.write", Tags.empty(), state.spareToWrite());
        set("store.spare.to.read", Tags.empty(), state.spareToRead());
        set("store.undecided.files", Tags.empty(), state.undecided());
        for (int place = 0; place < state.keepers().size(); place++) {
            KeeperState keeper = state.keepers().get(place);
            Tags tags = Tags.of("keeper", String.valueOf(place));
            for (KeeperState.Condition each : KeeperState.Condition.values()) {
                set("keeper.state", tags.and("state", each.word()), each == keeper.condition() ? 1 : 0);
            }
            set("keeper.lacking.files", tags, keeper.lacking());
            set("keeper.damaged.places", tags, keeper.damaged());
            set("keeper.filled.bytes", tags, keeper.filledBytes());
            set("keeper.to.fill.bytes", tags, keeper.toFillBytes());
        }
    }

    /** Figures of jobs that are configured no longer go. */
    public void keepOnly(Set<String> jobs) {
        registry.getMeters().stream()
                .filter(meter -> {
                    String job = meter.getId().getTag("job");
                    return job != null && !jobs.contains(job);
                })
                .forEach(registry::remove);
        gauges.keySet().removeIf(figure -> figure.isOfJobBut(jobs));
    }

    private void count(String name, Tags tags, long value) {
        registry.counter(PREFIX + name, tags).increment((double) value);
    }

    private void set(String name, Tags tags, long value) {
        gauges.computeIfAbsent(new Figure(name, tags), unused -> {
                    AtomicLong holder = new AtomicLong();
                    Gauge.builder(PREFIX + name, holder, AtomicLong::get)
                            .tags(tags)
                            .register(registry);
                    return holder;
                })
                .set(value);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
