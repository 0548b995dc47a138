// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import io.shredder.release.Release;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** The command {@code incoop}, but for {@code incoop jar}. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
        name = "incoop",
        description = "Looks after incremental MapReduce jobs; 'incoop jar APP.jar ...' runs one.",
        mixinStandardHelpOptions = true,
        subcommands = {MemoGcCommand.class, MemoStatsCommand.class, VerifyJobCommand.class},
        synopsisSubcommandLabel = "COMMAND")
public final class IncoopMain {

    private IncoopMain() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        int exitCode = run(args);
        if (exitCode == 0 && System.out.checkError()) {
            System.err.println("incoop: can't write to standard output: direct it elsewhere");
            exitCode = 1;
        }
        System.exit(exitCode);
    }

    /** Runs a command in this process; returns its exit code. */
    static int run(String... args) {
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new IncoopMain());
        // Behind the program's name, everything is the program's.
        line.getSubcommands().get("verify").setStopAtPositional(true);
        IVersionProvider release = () -> new String[] {Release.line("incoop")};
        line.getCommandSpec().versionProvider(release);
        line.getSubcommands().values().forEach(sub -> sub.getCommandSpec().versionProvider(release));
        line.setParameterExceptionHandler((error, words) -> usage(error.getCommandLine(), error.getMessage()));
        line.setExecutionExceptionHandler((error, command, parsed) -> failure(command, error));
        return line;
    }

    private static int failure(CommandLine command, Exception error) {
        if (error instanceof ParameterException || error instanceof IllegalArgumentException) {
            return usage(command, error.getMessage());
        }
        print(command, describe(error));
        LoggerFactory.getLogger(IncoopMain.class).debug("failed", error);
        return 1;
    }

    private static String describe(Exception error) {
        if (error instanceof IOException) {
            return String.valueOf(error.getMessage());
        }
        return "unexpected error, please report it: " + error;
    }

    private static int usage(CommandLine command, @Nullable String text) {
        print(command, text + " (see '" + command.getCommandSpec().qualifiedName() + " --help')");
        return 2;
    }

    private static void print(CommandLine command, String text) {
        command.getErr().println("incoop: " + text.replaceAll("\\s*\\R\\s*", " "));
        command.getErr().flush();
    }
}
