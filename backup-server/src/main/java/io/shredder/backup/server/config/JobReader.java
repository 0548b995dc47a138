// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.schedule.ScheduleReader;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.NbdUri;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import java.nio.file.Path;
import java.time.Duration;
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
    private final ScheduleReader schedule;

    private JobReader(ConfigSection job, Path folder, ScheduleReader schedule) {
        this.job = job;
        this.folder = folder;
        this.schedule = schedule;
    }

    static JobConfig read(String name, ConfigSection job, Path folder, ScheduleReader schedule) {
        try {
            SnapshotName unused = new SnapshotName(name);
        } catch (IllegalArgumentException e) {
            job.problem("a job's " + e.getMessage());
        }
        return new JobReader(job, folder, schedule).read(name);
    }

    private JobConfig read(String name) {
        int weight = job.value("weight", JobReader::weight, FairShares.USUAL_WEIGHT);
        Optional<ConfigSection> retry = job.section("retry", false);
        JobConfig config = new JobConfig(
                name,
                schedule.times(),
                job.value("concurrency", ServerConfigReader::concurrency, 1),
                schedule.rate("bandwidth"),
                schedule.rate("read-bandwidth"),
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
                KeepReader.read(job),
                job.optional("time-limit", TimeSpan::positive),
                images(weight),
                machines(weight));
        checkSources(config);
        retry.ifPresent(ConfigSection::finish);
        job.finish();
        return config;
    }

    static boolean yesOrNo(String text) {
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

    static int weight(String text) {
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > FairShares.MAX_WEIGHT) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + FairShares.MAX_WEIGHT);
        }
        return Integer.parseInt(text);
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
        job.section("images", false).ifPresent(section -> section.sections()
                .forEach((name, image) -> images.add(image(name, image, weight))));
        return images;
    }

    private List<MachineConfig> machines(int weight) {
        List<MachineConfig> machines = new ArrayList<>();
        job.section("machines", false).ifPresent(section -> section.sections()
                .forEach((name, machine) -> machines.add(
                        MachineReader.read(series("a machine's ", name, machine), machine, folder, weight))));
        return machines;
    }

    private void checkSources(JobConfig config) {
        if (config.sources().isEmpty()) {
            job.problem("images", "a job needs an image or a machine: name it below 'images' or 'machines'");
        }
        int tags = Remarks.MAX_TAGS - ChangeTracker.OWN_TAGS;
        if (!config.machines().isEmpty() && config.tags().size() > tags) {
            job.problem("tags", "snapshots of machines have tags of their own: use at most " + tags);
        }
    }

    private static SnapshotName series(String whose, String name, ConfigSection section) {
        try {
            return new SnapshotName(name);
        } catch (IllegalArgumentException e) {
            section.problem(whose + e.getMessage());
            return NO_NAME;
        }
    }

    /** @param weight unless it says one */
    private ImageConfig image(String name, ConfigSection image, int weight) {
        ImageConfig config = new ImageConfig(
                series("an image's ", name, image),
                address(image),
                hooks(image),
                image.value("weight", JobReader::weight, weight));
        image.finish();
        return config;
    }

    static HookConfig hooks(ConfigSection source) {
        return new HookConfig(
                hook("before", source),
                hook("after", source),
                source.value("hook-time-limit", TimeSpan::parse, HookConfig.DEFAULT_TIME_LIMIT));
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
