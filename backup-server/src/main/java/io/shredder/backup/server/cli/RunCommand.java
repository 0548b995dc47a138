// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.alert.AlertDoubts;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.care.CareWork;
import io.shredder.backup.server.cli.open.AtEnd;
import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.job.BackupSite;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobRun;
import io.shredder.backup.server.job.MachineOutcome;
import io.shredder.backup.server.job.RunLock;
import io.shredder.backup.server.job.SourceOutcome;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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

    private static final Clock CLOCK = Clock.systemUTC();

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of jobs and of care.")
    private List<String> names = List.of();

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(
            names = "--dry-run",
            description = "Delete nothing; only say what care that prunes would delete, and why it keeps the rest.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print a line of JSON for each image as it ends.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ServerConfig read = config.read();
        checkNames(read);
        AtomicInteger exitCode = new AtomicInteger();
        if (dryRun) {
            tryOut(read, exitCode);
            return exitCode.get();
        }
        AtEnd atEnd = new AtEnd();
        atEnd.onSignal(Thread.currentThread()::interrupt); // Hooks that thaw run, and machines are let go of.
        try (Shredder engine = Shredder.open(read.engine())) {
            Pace together = read.bandwidth().pace(CLOCK);
            BackupSite site = new BackupSite(read, engine, together, CLOCK);
            for (String name : names) {
                RunLock lock = RunLock.take(read.state(), name);
                try (lock) {
                    run(read, name, site, together, exitCode);
                }
            }
        } finally {
            atEnd.through();
        }
        return exitCode.get();
    }

    private void run(ServerConfig read, String name, BackupSite site, Pace together, AtomicInteger exitCode)
            throws IOException {
        for (JobConfig job : read.jobs()) {
            if (job.name().equals(name)) {
                new JobRun(site, job, outcome -> print(job, outcome, exitCode)).run();
            }
        }
        for (CareConfig care : read.care()) {
            if (care.name().equals(name)) {
                work(read, care, together).take(outcome -> print(care, outcome, exitCode));
            }
        }
    }

    private void checkNames(ServerConfig read) throws IOException {
        List<String> known = new ArrayList<>();
        read.jobs().forEach(job -> known.add(job.name()));
        read.care().forEach(care -> known.add(care.name()));
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IOException(
                        "there is no job or care '" + name + "' in " + config.file() + ": it has " + known);
            }
        }
    }

    private void tryOut(ServerConfig read, AtomicInteger exitCode) throws IOException {
        for (String name : names) {
            CareConfig named = read.care().stream()
                    .filter(care -> care.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException(
                            "'" + name + "' is a job, and deletes nothing: --dry-run is for" + " care that prunes"));
            work(read, named, read.bandwidth().pace(CLOCK)).tryOut(outcome -> print(named, outcome, exitCode));
        }
    }

    private static CareWork work(ServerConfig read, CareConfig care, Pace together) throws IOException {
        Files.createDirectories(read.state());
        return new CareWork(
                new CareSite(
                        read,
                        CareLedger.open(read.state()),
                        CLOCK,
                        together.and(care.bandwidth().pace(CLOCK)),
                        (job, image) -> AlertDoubts.inFolder(read.state(), job, image, CLOCK)),
                care);
    }

    private void print(CareConfig care, CareOutcome outcome, AtomicInteger exitCode) {
        if (json) {
            System.out.println(Json.line(outcome.json(care.name())));
        } else {
            outcome.notes()
                    .forEach(note -> System.out.println(care.name()
                            + outcome.image().map(image -> ", image " + image).orElse("") + ": " + note));
        }
        if (!json && outcome.succeeded()) {
            System.out.println(care.name()
                    + outcome.image().map(image -> ", image " + image).orElse("") + ": all good; "
                    + new TreeMap<>(outcome.figures()));
        }
        Stream.concat(outcome.error().stream(), outcome.problems().stream())
                .forEach(line -> System.err.println(BackupServerMain.NAME + ": " + care.name() + ": " + line));
        if (!outcome.succeeded()) {
            note(outcome.agentWentBack(), exitCode);
        }
    }

    private static void note(boolean agentWentBack, AtomicInteger exitCode) {
        exitCode.accumulateAndGet(agentWentBack ? BrokenTrustException.EXIT_CODE : 1, Math::max);
    }

    private synchronized void print(JobConfig job, SourceOutcome outcome, AtomicInteger exitCode) {
        outcome.images().forEach(image -> print(job, image));
        if (outcome instanceof MachineOutcome machine) {
            if (json) {
                System.out.println(Json.line(json(job, machine)));
            }
            machine.warnings().forEach(warning -> complain(machine.machine() + ": " + warning));
            machine.error()
                    .ifPresent(
                            error -> complain("job " + job.name() + ", machine " + machine.machine() + ": " + error));
        }
        if (!outcome.succeeded()) {
            boolean isWhole = outcome.images().stream().noneMatch(ImageOutcome::agentWentBack);
            note(!isWhole || (outcome instanceof MachineOutcome machine && machine.agentWentBack()), exitCode);
        }
    }

    private void print(JobConfig job, ImageOutcome outcome) {
        if (json) {
            System.out.println(Json.line(json(job, outcome)));
        } else {
            outcome.report().ifPresent(System.out::println);
        }
        outcome.report().ifPresent(report -> report.warnings().forEach(RunCommand::complain));
        outcome.error().ifPresent(error -> complain("job " + job.name() + ", image " + outcome.image() + ": " + error));
    }

    private static void complain(String line) {
        System.err.println(BackupServerMain.NAME + ": " + line);
    }

    private static Map<String, Object> json(JobConfig job, MachineOutcome outcome) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("job", job.name());
        line.put("machine", outcome.machine());
        line.put("ok", outcome.succeeded());
        outcome.error().ifPresent(error -> line.put("error", error));
        outcome.frozen().ifPresent(time -> line.put("frozenMilliseconds", time.toMillis()));
        line.put("milliseconds", outcome.elapsed().toMillis());
        return line;
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
