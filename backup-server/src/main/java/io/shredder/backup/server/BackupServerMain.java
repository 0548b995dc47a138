// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.command.Logging;
import io.shredder.backup.server.config.ByteSize;
import io.shredder.backup.server.source.ImageFormat;
import io.shredder.engine.Backend;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code backup-server}. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
        name = "backup-server",
        description = "Backs up disk images to a backup-agent and restores them, at the source site.",
        mixinStandardHelpOptions = true,
        version = "backup-server 0.1",
        subcommands = {
            ServeCommand.class,
            CheckConfigCommand.class,
            RunCommand.class,
            BackupCommand.class,
            ListCommand.class,
            ShowCommand.class,
            RestoreCommand.class,
            VerifyCommand.class,
            PruneCommand.class,
            GcCommand.class,
            StatsCommand.class,
            KeyCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class BackupServerMain {

    private BackupServerMain() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        Logging.setUp(args.length > 0 && args[0].equals("serve") ? "INFO" : "WARN");
        System.exit(run(args));
    }

    static int run(String... args) {
        CommandLine line = new CommandLine(new BackupServerMain());
        CommandErrors.register(line, SnapshotChoice.class, SnapshotChoice::parse);
        CommandErrors.register(line, Backend.class, Backend::parse);
        CommandErrors.register(line, ImageFormat.class, ImageFormat::parse);
        CommandErrors.register(line, ByteSize.class, ByteSize::parse);
        return CommandErrors.afterOutput(line, CommandErrors.install(line).execute(args));
    }
}
