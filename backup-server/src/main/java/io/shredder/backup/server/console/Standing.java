// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.RunProgress;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.MachineConfig;
import io.shredder.backup.server.history.DaemonHistory;
import io.shredder.backup.server.history.ImageDay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How an image stands.
 *
 * @param image its name
 * @param job that backs it up
 * @param state of its backups
 * @param running whether it is backed up now
 * @param nextStart when its job runs next; empty if only commands start it
 * @param newest the day of its last backup; empty before the first
 */
record Standing(
        String image,
        String job,
        State state,
        boolean running,
        Optional<Instant> nextStart,
        Optional<ImageDay> newest) {

    /**
     * After a scheduled time, its jitter and quiet times a backup has so long before it is late, and longer while its
     * job runs.
     */
    static final Duration PATIENCE = Duration.ofHours(1);

    private static final ObjectMapper JSON = new ObjectMapper();

    /** In the order of how much they need somebody. */
    enum State {
        FAILED,
        NEVER,
        LATE,
        OK;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** All images of a job, those of its machines among them, as far as a backup has found them. */
    static Stream<Standing> of(JobConfig job, Optional<JobStatus> status, Instant now, DaemonHistory history) {
        Optional<Instant> needed =
                needed(job.times(), status.map(JobStatus::running).orElse(false), now);
        Optional<Instant> next = status.flatMap(JobStatus::nextStart).filter(time -> time.isAfter(now));
        Set<String> underWay = status.flatMap(JobStatus::progress).stream()
                .flatMap(progress -> progress.underWay().stream())
                .map(RunProgress.Backup::image)
                .collect(Collectors.toSet());
        return job.sources().stream().flatMap(source -> {
            String name = source.name().value();
            List<String> images = source instanceof MachineConfig ? history.imagesOf(name) : List.of(name);
            return images.stream().map(image -> {
                Optional<ImageDay> day = history.newest(image);
                return new Standing(image, job.name(), state(day, needed), underWay.contains(name), next, day);
            });
        });
    }

    /** The last scheduled time after which there should be a success by now. */
    private static Optional<Instant> needed(RunTimes times, boolean running, Instant now) {
        Optional<Instant> due = times.lastDue(now, PATIENCE);
        return running
                ? due.flatMap(time -> times.timetable().flatMap(table -> table.latest(time.minusMillis(1))))
                : due;
    }

    private static State state(Optional<ImageDay> day, Optional<Instant> needed) {
        if (day.isEmpty()) {
            return State.NEVER;
        } else if (!day.get().lastOk()) {
            return State.FAILED;
        }
        Optional<Instant> success = day.get().lastSuccess();
        boolean late =
                needed.isPresent() && success.isPresent() && success.get().isBefore(needed.get());
        return late ? State.LATE : State.OK;
    }

    /** When the last success was; long ago if there was none. */
    Instant lastSuccess() {
        return newest.flatMap(ImageDay::lastSuccess).orElse(Instant.EPOCH);
    }

    long imageBytes() {
        return newest.map(ImageDay::imageBytes).orElse(0L);
    }

    ObjectNode json() {
        ObjectNode row = JSON.createObjectNode()
                .put("name", image)
                .put("job", job)
                .put("state", state.word())
                .put("running", running);
        newest.flatMap(ImageDay::lastSuccess).ifPresent(time -> row.put("lastSuccess", time.toString()));
        newest.ifPresent(day -> row.put("lastEnd", day.lastEnd().toString()));
        nextStart.ifPresent(time -> row.put("nextStart", time.toString()));
        row.put("imageBytes", imageBytes())
                .put("storedBytes", newest.map(ImageDay::storedEver).orElse(0L));
        return row;
    }
}
