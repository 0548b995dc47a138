// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The daemon; {@link ShredderBackupMain} is the operator's command. Exit codes: 0 done, 1 failed, 2 wrong usage,
 * 3 an agent shows less than it had.
 */
@Command(
        name = BackupServerMain.NAME,
        description = "Backs up disk images to a backup-agent by a configuration, at the source site.",
        footer = {"", "By hand: shredder-backup."},
        mixinStandardHelpOptions = true,
        subcommands = {
            ServeCommand.class,
            RunCommand.class,
            CheckConfigCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class BackupServerMain {

    static final String NAME = "backup-server";

    private BackupServerMain() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        Logging.setUp(args.length > 0 && args[0].equals("serve") ? "INFO" : "WARN");
        NativeCryptography.install();
        CommandLine line = commandLine();
        System.exit(CommandErrors.afterOutput(line, line.execute(args)));
    }

    static CommandLine commandLine() {
        return CommandErrors.install(new CommandLine(new BackupServerMain()));
    }
}
