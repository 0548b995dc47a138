// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.schedule.Timetable;
import io.shredder.backup.server.text.Json;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check-config}, of both programs. */
@Command(
        name = "check-config",
        description = "Check the configuration whole, and show each job's next times (without jitter).",
        mixinStandardHelpOptions = true)
final class CheckConfigCommand implements Callable<Integer> {

    private static final int TIMES_SHOWN = 3;

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
        read.jobs().forEach(CheckConfigCommand::print);
        return 0;
    }

    private static void print(JobConfig job) {
        System.out.println("job " + job.name() + ": "
                + job.timetable().map(Timetable::toString).orElse("only when a command starts it"));
        job.images().forEach(image -> System.out.println("  image " + image.name() + ": " + image.address()));
        nextTimes(job).forEach(time -> System.out.println("  next " + time));
    }

    private static List<Instant> nextTimes(JobConfig job) {
        List<Instant> times = new ArrayList<>();
        Instant time = Clock.systemUTC().instant();
        for (int i = 0; i < TIMES_SHOWN && job.timetable().isPresent(); i++) {
            time = job.timetable().get().next(time);
            times.add(time);
        }
        return times;
    }

    private Map<String, Object> json(ServerConfig read) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("file", config.file().toString());
        all.put("agent", read.agent().toString());
        all.put("jobs", read.jobs().stream().map(CheckConfigCommand::json).toList());
        return all;
    }

    private static Map<String, Object> json(JobConfig job) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("name", job.name());
        job.timetable().ifPresent(timetable -> line.put("schedule", timetable.toString()));
        line.put("next", nextTimes(job).stream().map(Instant::toString).toList());
        Map<String, Object> images = new LinkedHashMap<>();
        job.images()
                .forEach(image ->
                        images.put(image.name().value(), image.address().toString()));
        line.put("images", images);
        return line;
    }
}
