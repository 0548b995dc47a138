// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cli.open.AtEnd;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.MachineTaskOptions;
import io.shredder.backup.server.cli.option.SendOptions;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.running.MachineTask;
import io.shredder.backup.server.running.RunningBackup;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shredder-backup backup-machine}. */
@Command(
        name = "backup-machine",
        description = {
            "Back up a machine while it runs: all its disks as they are at one moment. What has not changed since the",
            "last snapshot is not even read."
        },
        mixinStandardHelpOptions = true)
final class BackupMachineCommand implements Callable<Integer> {

    @Mixin
    private MachineTaskOptions machine = new MachineTaskOptions();

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "Name of the machine: disk vda becomes the series NAME.vda.")
    private SnapshotName name = new SnapshotName("x");

    @Mixin
    private SendOptions send = new SendOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        MachineTask task;
        Remarks remarks;
        try {
            task = machine.task();
            remarks = send.remarks();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        AtEnd atEnd = new AtEnd();
        try (EngineStart engine = new EngineStart(send.engine(ShredderOptions.Devices.AUTO));
                RunningBackup backup = new RunningBackup(new Site(engine, send.unlock()), name)) {
            atEnd.onSignal(backup);
            return print(task.run(backup, ImageCuts.usual(), remarks, Pace.unlimited()));
        } finally {
            atEnd.through();
        }
    }

    private int print(RunningBackup.Outcome outcome) {
        int failed = 0;
        for (RunningBackup.DiskOutcome disk : outcome.disks()) {
            if (disk.report().isPresent()) {
                BackupReport report = disk.report().get();
                json.print(report::json, () -> report + "\n" + report.reading().text());
                Warnings.print(report.warnings());
            } else {
                failed = 1;
                String error = disk.error().map(CommandErrors::describe).orElse("");
                if (json.isGiven()) {
                    Map<String, Object> result = new LinkedHashMap<>();
                    result.put("name", disk.series().value());
                    result.put("error", error);
                    json.print(() -> result, () -> "");
                }
                Warnings.print(List.of(disk.series() + ": " + error));
            }
        }
        if (!json.isGiven()) {
            outcome.frozen()
                    .ifPresent(time ->
                            System.out.println("the guest's file systems rested at most " + time.toMillis() + " ms"));
        }
        Warnings.print(outcome.warnings());
        return failed;
    }

    /** The agent that the options name. */
    private final class Site implements RunningBackup.Site {

        private final EngineStart engine;
        private final RepositoryKey key;

        Site(EngineStart engine, RepositoryKey key) {
            this.engine = engine;
            this.key = key;
        }

        @Override
        public AgentClient connect() throws IOException {
            return send.connect();
        }

        @Override
        public BackupSession session(AgentClient client) throws IOException {
            return send.session(client, engine.get(), key, false);
        }

        @Override
        public RepositoryKey key() {
            return key;
        }

        @Override
        public KnownCommits known() {
            return send.known();
        }

        @Override
        public BackupReport during(
                SnapshotName series, long bytes, BackupSession session, RunningBackup.Running running)
                throws IOException {
            return ProgressLine.during("read " + series, bytes, session::readBytes, running::run);
        }
    }
}
