// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.config.ByteSize;
import io.shredder.backup.server.cli.guest.BootCommand;
import io.shredder.backup.server.cli.guest.FilesCommand;
import io.shredder.backup.server.cli.open.MountCommand;
import io.shredder.backup.server.cli.open.NbdCommand;
import io.shredder.backup.server.cli.option.AgentTimeout;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.cli.setup.InitCommand;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.source.ImageFormat;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.LoggerFactory;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The operator's command {@code shredder-backup}. Exit codes: 0 done, 1 failed or damage found, 2 wrong usage, 3 an
 * agent shows less than it had, 4 a deletion waits for a second person.
 */
@Command(
        name = ShredderBackupMain.NAME,
        description = "Backs up disk images to a backup-agent, looks after what it keeps, and restores.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class ShredderBackupMain {

    static final String NAME = Warnings.NAME;

    /** By name, in the order of the help. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("init", InitCommand.class);
        COMMANDS.put("backup", BackupCommand.class);
        COMMANDS.put("backup-machine", BackupMachineCommand.class);
        COMMANDS.put("list", ListCommand.class);
        COMMANDS.put("show", ShowCommand.class);
        COMMANDS.put("restore", RestoreCommand.class);
        COMMANDS.put("nbd", NbdCommand.class);
        COMMANDS.put("mount", MountCommand.class);
        COMMANDS.put("files", FilesCommand.class);
        COMMANDS.put("boot", BootCommand.class);
        COMMANDS.put("verify", VerifyCommand.class);
        COMMANDS.put("prune", PruneCommand.class);
        COMMANDS.put("pending", PendingCommand.class);
        COMMANDS.put("confirm", ConfirmCommand.class);
        COMMANDS.put("withdraw", WithdrawCommand.class);
        COMMANDS.put("gc", GcCommand.class);
        COMMANDS.put("copy", CopyCommand.class);
        COMMANDS.put("diff", DiffCommand.class);
        COMMANDS.put("repair", RepairCommand.class);
        COMMANDS.put("stats", StatsCommand.class);
        COMMANDS.put("accept", AcceptCommand.class);
        COMMANDS.put("key", KeyCommand.class);
        COMMANDS.put("check-config", CheckConfigCommand.class);
    }

    /** Help alone, or a mistake. */
    private static final String NO_COMMAND = "";

    /** These neither seal nor open anything, and are done sooner than AWS-LC would be loaded. */
    private static final Set<String> WITHOUT_KEYS = Set.of(
            "list", "verify", "prune", "pending", "confirm", "withdraw", "gc", "stats", "check-config", NO_COMMAND);

    private static final Set<String> WITHOUT_AGENT = Set.of("key", "check-config", NO_COMMAND);

    private ShredderBackupMain() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        Logging.setUp("WARN");
        // Loading libraries and reading the command line take as long as each other. Only one thread may be the first
        // to log.
        CompletableFuture<Void> logging = CompletableFuture.runAsync(LoggerFactory::getILoggerFactory);
        String command = args.length > 0 && COMMANDS.containsKey(args[0]) ? args[0] : NO_COMMAND;
        CompletableFuture<Void> cryptography =
                WITHOUT_KEYS.contains(command) ? logging : logging.thenRunAsync(NativeCryptography::install);
        boolean withoutAgent = WITHOUT_AGENT.contains(command) || SourceOptions.nameAFolder(args);
        CompletableFuture<Void> network = withoutAgent ? logging : logging.thenRunAsync(AgentClient::prepare);
        System.exit(run(CompletableFuture.allOf(cryptography, network), args));
    }

    /** No lambda, for the reason that {@link CommandErrors} gives. */
    private static final class OnceReady implements CommandLine.IExecutionStrategy {

        private final CompletableFuture<Void> ready;

        OnceReady(CompletableFuture<Void> ready) {
            this.ready = ready;
        }

        @Override
        public int execute(CommandLine.ParseResult parsed) {
            ready.join();
            return new CommandLine.RunLast().execute(parsed);
        }
    }

    /** Runs a command in this process; returns its exit code. */
    public static int run(String... args) {
        return run(CompletableFuture.completedFuture(null), args);
    }

    private static int run(CompletableFuture<Void> ready, String... args) {
        CommandLine line = commandLine(args);
        line.setExecutionStrategy(new OnceReady(ready));
        String[] words = args;
        Optional<Path> site = SiteDefaults.file(System.getenv());
        if (site.isPresent()) {
            try {
                words = SiteDefaults.complete(line, args, site.get());
            } catch (IOException e) {
                System.err.println(
                        NAME + ": what is not given can't be taken from " + site.get() + ": " + e.getMessage());
            }
        }
        return CommandErrors.afterOutput(line, line.execute(words));
    }

    /** What reads these words; all commands, if they begin with none. */
    static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new ShredderBackupMain());
        // What a command can do is found by reflection, so only the one that is meant is asked.
        COMMANDS.forEach((name, command) -> {
            if (args.length == 0 || !COMMANDS.containsKey(args[0]) || name.equals(args[0])) {
                line.addSubcommand(name, command);
            }
        });
        if (args.length == 0 || !COMMANDS.containsKey(args[0])) {
            line.addSubcommand(AutoComplete.GenerateCompletion.class);
        }
        CommandErrors.register(line, SnapshotChoice.class, SnapshotChoice::parse);
        CommandErrors.register(line, AgentTimeout.class, AgentTimeout::parse);
        CommandErrors.register(line, ShredderOptions.Devices.class, ShredderOptions.Devices::parse);
        CommandErrors.register(line, DigestAlgorithm.class, DigestAlgorithm::parse);
        CommandErrors.register(line, ImageFormat.class, ImageFormat::parse);
        CommandErrors.register(line, OnReadError.class, OnReadError::parse);
        CommandErrors.register(line, ByteSize.class, ByteSize::parse);
        return CommandErrors.install(line);
    }

    /** Prints what a command found to be wrong, a line each, on standard error; returns its exit code. */
    static int report(Collection<String> problems) {
        Warnings.print(problems);
        return problems.isEmpty() ? 0 : 1;
    }
}
