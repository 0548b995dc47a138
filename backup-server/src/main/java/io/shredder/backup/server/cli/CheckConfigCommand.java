// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.schedule.Timetable;
import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.text.Json;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check-config}, of both programs. */
@Command(
        name = "check-config",
        description = "Check the configuration whole, and show each job's next times (without jitter).",
        mixinStandardHelpOptions = true)
final class CheckConfigCommand implements Callable<Integer> {

    private static final int TIMES_SHOWN = 3;
    /** Many may lie in one quiet time. */
    private static final int MOST_LOOKED_AT = 2000;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        ServerConfig read = config.read();
        if (json.isGiven()) {
            System.out.println(Json.line(json(read)));
            return 0;
        }
        System.out.println(config.file() + ": ok, agent " + read.agent());
        if (read.bandwidth().isLimited()) {
            System.out.println("bandwidth " + read.bandwidth());
        }
        read.jobs().forEach(CheckConfigCommand::print);
        read.care().forEach(CheckConfigCommand::print);
        warnings(read).forEach(line -> System.out.println("note: " + line));
        return 0;
    }

    /** What is right, and may not be what was meant. */
    private static List<String> warnings(ServerConfig read) {
        Set<String> pruned = read.care().stream()
                .flatMap(care -> care.work() instanceof CareConfig.Prune prune ? prune.jobs().stream() : Stream.empty())
                .map(JobConfig::name)
                .collect(Collectors.toSet());
        return read.jobs().stream()
                .filter(job -> job.keep().isPresent() && !pruned.contains(job.name()))
                .map(job -> "job " + job.name() + " says what to keep, and no care prunes: nothing is deleted")
                .toList();
    }

    private static void print(JobConfig job) {
        System.out.println("job " + job.name() + ": "
                + job.timetable().map(Timetable::toString).orElse("only when a command starts it"));
        job.keep().ifPresent(keep -> System.out.println("  keep " + keep));
        printLimits(job.times(), job.bandwidth());
        if (job.readBandwidth().isLimited()) {
            System.out.println("  read-bandwidth " + job.readBandwidth());
        }
        job.images().forEach(image -> System.out.println("  image " + image.name() + ": " + image.place()));
        job.machines().forEach(machine -> System.out.println("  machine " + machine.name() + ": " + machine.place()));
        nextTimes(job.times()).forEach(time -> System.out.println("  next " + time));
    }

    private static void print(CareConfig care) {
        System.out.println("care " + care.name() + ": " + care.work().words() + ", "
                + care.timetable().map(Timetable::toString).orElse("only when a command starts it"));
        printLimits(care.times(), care.bandwidth());
        nextTimes(care.times()).forEach(time -> System.out.println("  next " + time));
    }

    private static void printLimits(RunTimes times, RatePlan bandwidth) {
        if (times.timetable().isPresent() && !times.quiet().windows().isEmpty()) {
            System.out.println("  quiet " + times.quiet());
        }
        if (bandwidth.isLimited()) {
            System.out.println("  bandwidth " + bandwidth);
        }
    }

    /** Those that quiet times put off are shown as they start. */
    private static List<Instant> nextTimes(RunTimes times) {
        Set<Instant> starts = new LinkedHashSet<>();
        Instant time = Clock.systemUTC().instant();
        Optional<Timetable> timetable = times.timetable();
        for (int i = 0; i < MOST_LOOKED_AT && starts.size() < TIMES_SHOWN && timetable.isPresent(); i++) {
            time = timetable.get().next(time);
            starts.add(times.quiet().endOf(time));
        }
        return List.copyOf(starts);
    }

    private Map<String, Object> json(ServerConfig read) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("file", config.file().toString());
        all.put("agent", read.agent().toString());
        all.put("jobs", read.jobs().stream().map(CheckConfigCommand::json).toList());
        all.put("care", read.care().stream().map(CheckConfigCommand::json).toList());
        return all;
    }

    private static void putLimits(Map<String, Object> line, RunTimes times, RatePlan bandwidth) {
        if (times.timetable().isPresent() && !times.quiet().windows().isEmpty()) {
            line.put("quiet", times.quiet().toString());
        }
        if (bandwidth.isLimited()) {
            line.put("bandwidth", bandwidth.toString());
        }
    }

    private static Map<String, Object> json(CareConfig care) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("name", care.name());
        line.put("work", care.work().words());
        care.timetable().ifPresent(timetable -> line.put("schedule", timetable.toString()));
        putLimits(line, care.times(), care.bandwidth());
        line.put("next", nextTimes(care.times()).stream().map(Instant::toString).toList());
        return line;
    }

    private static Map<String, Object> json(JobConfig job) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("name", job.name());
        job.timetable().ifPresent(timetable -> line.put("schedule", timetable.toString()));
        putLimits(line, job.times(), job.bandwidth());
        job.keep().ifPresent(keep -> line.put("keep", keep.toString()));
        line.put("next", nextTimes(job.times()).stream().map(Instant::toString).toList());
        line.put("images", places(job.images()));
        line.put("machines", places(job.machines()));
        return line;
    }

    private static Map<String, Object> places(List<? extends SourceConfig> sources) {
        Map<String, Object> places = new LinkedHashMap<>();
        sources.forEach(source -> places.put(source.name().value(), source.place()));
        return places;
    }
}
