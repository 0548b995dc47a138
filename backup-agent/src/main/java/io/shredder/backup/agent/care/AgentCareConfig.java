// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.config.ConfigReader;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.schedule.ScheduleReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What care an agent takes by itself, and when.
 *
 * @param collection when and how space is given back; empty: only when a client asks
 * @param verification when and how what is kept is read; empty: only when a client asks
 */
public record AgentCareConfig(Optional<Collection> collection, Optional<Verification> verification) {

    /** No care, so that clients must ask for it. */
    public static final AgentCareConfig NONE = new AgentCareConfig(Optional.empty(), Optional.empty());

    private static final Duration ALL_IN = Duration.ofDays(30);
    private static final int MAX_FILE_BYTES = 1 << 20;

    /**
     * When space is given back.
     *
     * @param times when
     * @param bandwidth bytes a second that are copied out of containers that go
     * @param minGarbagePercent containers with less garbage are left alone
     */
    public record Collection(RunTimes times, RatePlan bandwidth, int minGarbagePercent) {}

    /**
     * When what is kept is read.
     *
     * @param times when
     * @param bandwidth bytes a second that are read
     * @param allIn all is to be read once in so long
     */
    public record Verification(RunTimes times, RatePlan bandwidth, Duration allIn) {}

    /**
     * Reads a file.
     *
     * @throws ConfigException naming every problem and its line
     * @throws IOException if the file can't be read
     */
    public static AgentCareConfig read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("file of care " + file + " doesn't exist or is no file: name another with --care");
        } else if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException("file of care " + file + " is longer than " + MAX_FILE_BYTES + " bytes");
        }
        return parse(file, Files.readString(file, StandardCharsets.UTF_8));
    }

    /** The same for a text; the file is for errors. */
    static AgentCareConfig parse(Path file, String text) throws ConfigException {
        return ConfigReader.read(file, text, AgentCareConfig::config);
    }

    private static AgentCareConfig config(ConfigSection root) {
        root.required("version", AgentCareConfig::version, 1);
        ScheduleReader schedules = ScheduleReader.ofAll(root);
        AgentCareConfig config = new AgentCareConfig(
                section(root, "gc", section -> collection(section, schedules.below(section))),
                section(root, "verify", section -> verification(section, schedules.below(section))));
        if (config.equals(NONE)) {
            root.problem("there is nothing to do: name 'gc' or 'verify', each with a 'schedule'");
        }
        root.finish();
        return config;
    }

    private static int version(String text) {
        if (!text.equals("1")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a version of this file that is known here: use 1");
        }
        return 1;
    }

    private static <T> Optional<T> section(ConfigSection root, String key, Function<ConfigSection, T> reader) {
        return root.section(key, false).map(section -> {
            if (!section.has("schedule")) {
                section.problem("'" + key + ".schedule' is missing: say when, such as '30 13 * * *'");
            }
            T read = reader.apply(section);
            section.finish();
            return read;
        });
    }

    private static Collection collection(ConfigSection section, ScheduleReader schedule) {
        return new Collection(
                schedule.times(),
                schedule.rate("bandwidth"),
                section.value("min-garbage", AgentCareConfig::percent, GarbageCollection.Settings.USUAL_PERCENT));
    }

    private static Verification verification(ConfigSection section, ScheduleReader schedule) {
        return new Verification(
                schedule.times(), schedule.rate("bandwidth"), section.value("all-in", TimeSpan::positive, ALL_IN));
    }

    private static int percent(String text) {
        if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > 100) {
            throw new IllegalArgumentException("'" + text + "' is not a number of percent from 0 to 100");
        }
        return Integer.parseInt(text);
    }
}
