// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import io.micrometer.core.instrument.Tags;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.monitoring.Figures;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.ImageReading;
import io.shredder.backup.server.backup.ReadReason;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.MachineOutcome;
import io.shredder.backup.server.job.StoreRoom;
import java.io.Closeable;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The daemon's figures; {@code docs/OPERATING-BACKUP.md} lists them. Thread-safe. */
public final class ServerMetrics implements JobEvents, Closeable {

    private final Figures figures = new Figures("shredder.backup.");
    private final Clock clock;

    /** Begins at 0. */
    public ServerMetrics(Clock clock) {
        this.clock = clock;
        configurationRead(true);
    }

    /** In Prometheus' text format. */
    public String text() {
        return figures.text();
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
        figures.count("job.runs", Tags.of("job", job, "result", ok ? "ok" : "failed"), 1);
    }

    /** Whether nothing advances of a backup that is under way. */
    void jobStalled(String job, boolean stalled) {
        set("job.stalled", Tags.of("job", job), stalled ? 1 : 0);
    }

    /** What a job waits for. */
    void jobWaits(String job, Optional<JobStatus.Wait> waits) {
        for (JobStatus.Wait each : JobStatus.Wait.values()) {
            set(
                    "job.waiting",
                    Tags.of("job", job, "for", each.word()),
                    waits.filter(what -> what == each).isPresent() ? 1 : 0);
        }
    }

    @Override
    public void jobMissed(String job) {
        figures.count("job.missed", Tags.of("job", job), 1);
    }

    @Override
    public void imageEnded(String job, ImageOutcome outcome) {
        Tags tags = Tags.of("job", job, "image", outcome.image());
        figures.time(
                "image",
                "Backups of an image, with their hooks, waits and retries",
                tags.and("result", outcome.succeeded() ? "ok" : "failed"),
                outcome.elapsed());
        if (outcome.report().isPresent()) {
            BackupReport report = outcome.report().get();
            set("image.last.success.timestamp.seconds", tags, clock.instant().getEpochSecond());
            set("image.size.bytes", tags, report.snapshot().imageBytes());
            count("read.bytes", tags, report.snapshot().imageBytes());
            count("sent.bytes", tags, report.sentBytes());
            count("new.bytes", tags, report.newBytes());
            count("new.chunks", tags, report.newChunks());
            tracked(tags, report.reading());
        }
    }

    private void tracked(Tags tags, ImageReading reading) {
        if (reading.reason() == ReadReason.UNTRACKED) {
            return;
        }
        count("tracked.backups", tags.and("read", reading.reason().word()), 1);
        set("tracked.disk.read.bytes", tags, reading.bytes());
        reading.changedBytes().ifPresent(bytes -> set("tracked.disk.changed.bytes", tags, bytes));
        reading.lastWhole().ifPresent(time -> set("tracked.disk.whole.timestamp.seconds", tags, time.getEpochSecond()));
    }

    @Override
    public void machineEnded(String job, MachineOutcome outcome) {
        outcome.images().forEach(image -> imageEnded(job, image));
        Tags tags = Tags.of("job", job, "machine", outcome.machine());
        figures.time(
                "machine",
                "Backups of a machine, with their hooks, waits and retries",
                tags.and("result", outcome.succeeded() ? "ok" : "failed"),
                outcome.elapsed());
        outcome.frozen()
                .ifPresent(time ->
                        figures.time("machine.frozen", "How long a guest's file systems rested at most", tags, time));
        if (outcome.succeeded()) {
            set("machine.last.success.timestamp.seconds", tags, clock.instant().getEpochSecond());
        }
    }

    @Override
    public void careEnded(String care, CareOutcome outcome) {
        Tags tags = Tags.of("job", care, "kind", outcome.kind().name().toLowerCase(Locale.ROOT))
                .and("image", outcome.image().orElse(""));
        set("care.last.ok", tags, outcome.succeeded() ? 1 : 0);
        set("care.problems", tags, outcome.problems().size());
        if (outcome.succeeded()) {
            set("care.last.success.timestamp.seconds", tags, clock.instant().getEpochSecond());
        }
        outcome.figures().forEach((name, value) -> set("care." + name, tags, Math.round(value)));
    }

    @Override
    public void keepersSeen(KeepersState state) {
        set("store.seen.timestamp.seconds", Tags.empty(), clock.instant().getEpochSecond());
        figures.keepers(state);
    }

    /** There is no figure of what has no limit. */
    @Override
    public void roomSeen(StoreRoom room) {
        if (room.usableBytes() < Long.MAX_VALUE) {
            set("store.usable.bytes", Tags.empty(), room.usableBytes());
        }
    }

    /** Figures of jobs that are configured no longer go. */
    public void keepOnly(Set<String> jobs) {
        figures.drop("job", job -> !jobs.contains(job));
    }

    private void count(String name, Tags tags, long value) {
        figures.count(name, tags, value);
    }

    private void set(String name, Tags tags, long value) {
        figures.set(name, tags, value);
    }

    @Override
    public void close() {
        figures.close();
    }
}
