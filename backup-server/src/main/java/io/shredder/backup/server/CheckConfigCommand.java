// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.schedule.Timetable;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code backup-server check-config}. */
@Command(
        name = "check-config",
        description = "Check the configuration whole, and show each job's next times (without jitter).",
        mixinStandardHelpOptions = true)
final class CheckConfigCommand implements Callable<Integer> {

    private static final int TIMES_SHOWN = 3;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Override
    public Integer call() throws IOException {
        ServerConfig read = config.read();
        System.out.println(config.file() + ": ok, agent " + read.agent());
        read.jobs().forEach(CheckConfigCommand::print);
        return 0;
    }

    private static void print(JobConfig job) {
        System.out.println("job " + job.name() + ": "
                + job.timetable().map(Timetable::toString).orElse("only when a command starts it"));
        job.images().forEach(image -> System.out.println("  image " + image.name() + ": " + image.address()));
        Instant time = Clock.systemUTC().instant();
        for (int i = 0; i < TIMES_SHOWN && job.timetable().isPresent(); i++) {
            time = job.timetable().get().next(time);
            System.out.println("  next " + time);
        }
    }
}
