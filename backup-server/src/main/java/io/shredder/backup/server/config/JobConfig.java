// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.server.schedule.Timetable;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.OnReadError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job: images that are backed up at the same times.
 *
 * @param name in logs, metrics and commands
 * @param timetable when; empty for a job that only commands start
 * @param concurrency how many of its images at once, at least 1
 * @param bandwidth bytes a second that the job may send, all its images together
 * @param readBandwidth bytes a second that it may read, all its images together
 * @param cpuThreads cores that each of its images may use, at most; if it doesn't say, as many as each image's share is
 * @param cuts how its images are cut
 * @param retry what becomes of an image whose backup failed
 * @param onReadError what becomes of an image with bytes that can't be read
 * @param tags of its snapshots
 * @param privateLists whether its snapshots' lists share no pages
 * @param timeLimit after which a run is given up, if it has one
 * @param images at least one
 */
public record JobConfig(
        String name,
        Optional<Timetable> timetable,
        int concurrency,
        Optional<ByteSize> bandwidth,
        Optional<ByteSize> readBandwidth,
        OptionalInt cpuThreads,
        ImageCuts cuts,
        Retry retry,
        OnReadError onReadError,
        List<String> tags,
        boolean privateLists,
        Optional<Duration> timeLimit,
        List<ImageConfig> images) {

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
    }
}
