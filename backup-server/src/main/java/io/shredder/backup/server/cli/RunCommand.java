// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.job.BackupSite;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobRun;
import io.shredder.backup.server.text.Json;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backup-server run}. */
@Command(
        name = "run",
        description = "Run jobs of the configuration now, one after another, beside the daemon or without it.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "JOB", description = "Names of jobs.")
    private List<String> names = List.of();

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(names = "--json", description = "Print a line of JSON for each image as it ends.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ServerConfig read = config.read();
        List<JobConfig> jobs = jobs(read);
        AtomicInteger failed = new AtomicInteger();
        try (Shredder engine = Shredder.open(read.engine())) {
            BackupSite site = new BackupSite(read, engine);
            for (JobConfig job : jobs) {
                new JobRun(site, job, outcome -> print(job, outcome, failed)).run();
            }
        }
        return failed.get() == 0 ? 0 : 1;
    }

    private List<JobConfig> jobs(ServerConfig read) throws IOException {
        List<JobConfig> jobs = new ArrayList<>();
        for (String name : names) {
            jobs.add(read.jobs().stream()
                    .filter(job -> job.name().equals(name))
                    .findFirst()
                    .orElseThrow(
                            () -> new IOException("there is no job '" + name + "' in " + config.file() + ": it has "
                                    + read.jobs().stream().map(JobConfig::name).toList())));
        }
        return jobs;
    }

    private synchronized void print(JobConfig job, ImageOutcome outcome, AtomicInteger failed) {
        if (json) {
            System.out.println(Json.line(json(job, outcome)));
        } else {
            outcome.report().ifPresent(System.out::println);
        }
        outcome.report().ifPresent(report -> report.warnings()
                .forEach(warning -> System.err.println(BackupServerMain.NAME + ": " + warning)));
        outcome.error().ifPresent(error -> {
            failed.incrementAndGet();
            System.err.println(
                    BackupServerMain.NAME + ": job " + job.name() + ", image " + outcome.image() + ": " + error);
        });
    }

    private static Map<String, Object> json(JobConfig job, ImageOutcome outcome) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("job", job.name());
        line.put("image", outcome.image());
        line.put("ok", outcome.succeeded());
        outcome.error().ifPresent(error -> line.put("error", error));
        outcome.report().ifPresent(report -> line.put("backup", report.json()));
        line.put("milliseconds", outcome.elapsed().toMillis());
        return line;
    }
}
