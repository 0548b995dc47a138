// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.schedule.Timetable;
import io.shredder.backup.server.retention.RetentionPolicy;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.backup.snapshot.SnapshotName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job: images and machines that are backed up at the same times.
 *
 * @param name in logs, metrics and commands
 * @param times when it runs
 * @param concurrency how many of its images at once, at least 1
 * @param bandwidth bytes a second that the job may send, all its images together
 * @param readBandwidth bytes a second that it may read, all its images together
 * @param cpuThreads cores that each of its images may use, at most; if it doesn't say, as many as each image's share is
 * @param cuts how its images are cut
 * @param retry what becomes of an image whose backup failed
 * @param onReadError what becomes of an image with bytes that can't be read
 * @param tags of its snapshots
 * @param privateLists whether its snapshots' lists share no pages
 * @param keep which of its snapshots are kept where care prunes; empty: all
 * @param timeLimit after which a run is given up, if it has one
 * @param images at least one, or a machine
 * @param machines that run, at least one or an image
 */
public record JobConfig(
        String name,
        RunTimes times,
        int concurrency,
        RatePlan bandwidth,
        RatePlan readBandwidth,
        OptionalInt cpuThreads,
        ImageCuts cuts,
        Retry retry,
        OnReadError onReadError,
        List<String> tags,
        boolean privateLists,
        Optional<RetentionPolicy> keep,
        Optional<Duration> timeLimit,
        List<ImageConfig> images,
        List<MachineConfig> machines) {

    /**
     * What becomes of an image whose backup failed.
     *
     * @param times how often it is tried again
     * @param after how long to wait before each
     */
    public record Retry(int times, Duration after) {}

    /** Keeps a copy. */
    public JobConfig {
        tags = List.copyOf(tags);
        images = List.copyOf(images);
        machines = List.copyOf(machines);
    }

    /** When; empty for a job that only commands start. */
    public Optional<Timetable> timetable() {
        return times.timetable();
    }

    /** Images, then machines. */
    public List<SourceConfig> sources() {
        List<SourceConfig> all = new ArrayList<>(images);
        all.addAll(machines);
        return all;
    }

    /** The image that a series is of, or the machine that it is a disk of, if this job backs it up. */
    public Optional<SourceConfig> sourceOf(SnapshotName series) {
        return sources().stream()
                .filter(source -> source.name().equals(series)
                        || (source instanceof MachineConfig machine && machine.owns(series)))
                .findFirst();
    }
}
