// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.cli.store.UndoStoreCommand;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.config.ByteSize;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code backup-agent}. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
        name = "backup-agent",
        description = "Keeps chunks and snapshots for backup-server, at the backup site.",
        mixinStandardHelpOptions = true,
        subcommands = {
            InitAgentCommand.class,
            InviteCommand.class,
            ServeAgentCommand.class,
            KeepCommand.class,
            LendCommand.class,
            BorrowCommand.class,
            CertsCommand.class,
            RebuildIndexCommand.class,
            AcceptCatalogueCommand.class,
            CheckKeepersCommand.class,
            ReplaceKeeperCommand.class,
            UndoStoreCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class AgentMain {

    private AgentMain() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        Logging.setUp("INFO");
        NativeCryptography.install();
        System.exit(run(args));
    }

    /** Runs a command in this process. Returns its exit code; what it prints goes to this process's streams. */
    public static int run(String... args) {
        CommandLine line = commandLine();
        return CommandErrors.afterOutput(line, line.execute(args));
    }

    static CommandLine commandLine() {
        CommandLine line = CommandErrors.install(new CommandLine(new AgentMain()));
        CommandErrors.register(line, ByteSize.class, ByteSize::parse);
        return line;
    }
}
