// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.cli.option.AgentOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.transfer.CollectionRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shredder-backup gc}. */
@Command(
        name = "gc",
        description = "Have the agent give back the space of chunks that no snapshot of any client needs.",
        footer = {"", "Safe beside running backups and restores. The client needs the right 'prune'."},
        mixinStandardHelpOptions = true)
final class GcCommand implements Callable<Integer> {

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Option(
            names = "--min-garbage",
            defaultValue = "" + CollectionRun.DEFAULT_MIN_GARBAGE_PERCENT,
            paramLabel = "PERCENT",
            description =
                    "Leave containers alone that hold less garbage than this (default: ${DEFAULT-VALUE}); 0 frees all.")
    private int minGarbagePercent = CollectionRun.DEFAULT_MIN_GARBAGE_PERCENT;

    @Option(names = "--dry-run", description = "Only say how much garbage there is.")
    private boolean dryRun;

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (minGarbagePercent < 0 || minGarbagePercent > 100) {
            throw new ParameterException(
                    spec.commandLine(), "--min-garbage " + minGarbagePercent + " is not from 0 to 100");
        }
        try (AgentClient client = agent.connect()) {
            CollectionRun run = CollectionRun.of(client, minGarbagePercent, dryRun);
            json.print(run::json, run::toString);
            return ShredderBackupMain.report(run.problems());
        }
    }
}
