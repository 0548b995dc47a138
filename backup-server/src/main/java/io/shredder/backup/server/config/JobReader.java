// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.schedule.MissedRun;
import io.shredder.backup.server.schedule.Timetable;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.NbdUri;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads one job of the configuration. */
final class JobReader {

    private static final SnapshotName NO_NAME = new SnapshotName("x");
    private static final int MAX_RETRIES = 100;

    private final ConfigSection job;
    private final Path folder;

    private JobReader(ConfigSection job, Path folder) {
        this.job = job;
        this.folder = folder;
    }

    static JobConfig read(String name, ConfigSection job, Path folder) {
        try {
            SnapshotName unused = new SnapshotName(name);
        } catch (IllegalArgumentException e) {
            job.problem("a job's " + e.getMessage());
        }
        return new JobReader(job, folder).read(name);
    }

    private JobConfig read(String name) {
        int weight = job.value("weight", JobReader::weight, FairShares.USUAL_WEIGHT);
        Optional<ConfigSection> retry = job.section("retry", false);
        JobConfig config = new JobConfig(
                name,
                timetable(),
                job.value("concurrency", ServerConfigReader::concurrency, 1),
                job.optional("bandwidth", ServerConfigReader::rate),
                job.optional("read-bandwidth", ServerConfigReader::rate),
                job.optional("cpu-threads", JobReader::threads)
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty()),
                cuts(),
                new JobConfig.Retry(
                        retry.map(section -> section.value("times", JobReader::times, 2))
                                .orElse(2),
                        retry.map(section -> section.value("after", TimeSpan::parse, Duration.ofMinutes(1)))
                                .orElse(Duration.ofMinutes(1))),
                job.value("on-read-error", OnReadError::parse, OnReadError.FAIL),
                tags(),
                job.value("private-lists", JobReader::yesOrNo, false),
                job.optional("time-limit", TimeSpan::positive),
                images(weight));
        retry.ifPresent(ConfigSection::finish);
        job.finish();
        return config;
    }

    private static boolean yesOrNo(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        }
        return text.equals("true");
    }

    private static int times(String text) {
        if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > MAX_RETRIES) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + MAX_RETRIES);
        }
        return Integer.parseInt(text);
    }

    private static int threads(String text) {
        if (!text.matches("[1-9][0-9]{0,3}")) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to 9999");
        }
        return Integer.parseInt(text);
    }

    private static int weight(String text) {
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > FairShares.MAX_WEIGHT) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + FairShares.MAX_WEIGHT);
        }
        return Integer.parseInt(text);
    }

    private Optional<Timetable> timetable() {
        ZoneId zone = job.value("time-zone", JobReader::zone, ZoneId.systemDefault());
        Duration jitter = job.value("jitter", TimeSpan::parse, Duration.ZERO);
        MissedRun missed = job.value("missed", MissedRun::parse, MissedRun.RUN);
        if (!job.has("schedule")) {
            for (String key : List.of("time-zone", "jitter", "missed")) {
                if (job.has(key)) {
                    job.problem(key, "'" + key + "' means nothing without 'schedule'");
                }
            }
        }
        return job.optional("schedule", text -> Timetable.of(text, zone, jitter, missed));
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time zone: use one such as Europe/Berlin or UTC", e);
        }
    }

    private List<String> tags() {
        List<String> tags =
                job.list("tags", JobReader::tag, "weekly, os=debian-12").orElse(List.of());
        try {
            return Remarks.of(tags, Optional.empty()).tags();
        } catch (IllegalArgumentException e) {
            job.problem("tags", String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private static String tag(String text) {
        return Remarks.of(List.of(text), Optional.empty()).tags().get(0);
    }

    private ImageCuts cuts() {
        Optional<ConfigSection> section = job.section("chunk", false);
        if (section.isEmpty()) {
            return ImageCuts.usual();
        }
        ConfigSection chunk = section.get();
        ChunkingParams.Builder builder = ChunkingParams.builder();
        chunk.optional("average", ByteSize::parse).ifPresent(size -> builder.averageBytes(size.bytes()));
        chunk.optional("min", ByteSize::parse).ifPresent(size -> builder.minBytes(size.bytes()));
        chunk.optional("max", ByteSize::parse).ifPresent(size -> builder.maxBytes(size.bytes()));
        Optional<DigestAlgorithm> digest = chunk.optional("digest", DigestAlgorithm::parse);
        chunk.finish();
        try {
            return new ImageCuts(builder.build(), digest);
        } catch (IllegalArgumentException e) {
            chunk.problem("chunk lengths: " + e.getMessage());
            return ImageCuts.usual();
        }
    }

    private List<ImageConfig> images(int weight) {
        List<ImageConfig> images = new ArrayList<>();
        job.section("images", true).ifPresent(section -> {
            section.sections().forEach((name, image) -> images.add(image(name, image, weight)));
            if (images.isEmpty()) {
                section.problem("a job needs an image");
            }
        });
        return images;
    }

    /** @param weight unless it says one */
    private ImageConfig image(String name, ConfigSection image, int weight) {
        SnapshotName series = NO_NAME;
        try {
            series = new SnapshotName(name);
        } catch (IllegalArgumentException e) {
            image.problem("an image's " + e.getMessage());
        }
        HookConfig hooks = new HookConfig(
                hook("before", image),
                hook("after", image),
                image.value("hook-time-limit", TimeSpan::parse, HookConfig.DEFAULT_TIME_LIMIT));
        ImageConfig config =
                new ImageConfig(series, address(image), hooks, image.value("weight", JobReader::weight, weight));
        image.finish();
        return config;
    }

    /** Empty if there is none. */
    private static List<String> hook(String key, ConfigSection image) {
        return image.list(key, Function.identity(), "/path/to/program, argument")
                .orElse(List.of());
    }

    private ImageAddress address(ConfigSection image) {
        List<ImageAddress> given = new ArrayList<>();
        image.optional("file", folder::resolve).map(ImageAddress.RawFile::new).ifPresent(given::add);
        image.optional("device", folder::resolve).map(ImageAddress.Device::new).ifPresent(given::add);
        image.optional("qcow2", folder::resolve).map(ImageAddress.Qcow2::new).ifPresent(given::add);
        image.optional("nbd", NbdUri::parse).map(ImageAddress.Nbd::new).ifPresent(given::add);
        if (given.size() != 1) {
            image.problem("an image needs one of 'file', 'device', 'qcow2' and 'nbd'; here are " + given.size());
        }
        return given.isEmpty() ? new ImageAddress.RawFile(folder) : given.get(0);
    }
}
