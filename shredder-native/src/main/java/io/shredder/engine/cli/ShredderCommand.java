// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.chunk.InvalidParamsException;
import io.shredder.engine.InvalidOptionException;
import io.shredder.release.Release;
import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command {@code shredder}. Exit codes: 0 done, 1 failed, 2 wrong usage, 141 the output's reader went away. */
@Command(
        name = "shredder",
        description = {
            "Cuts files into content-defined chunks, on the CPU or the GPU;",
            "codes files as pieces of which any few give them back."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            ChunkCommand.class,
            CodeCommand.class,
            DecodeCommand.class,
            DevicesCommand.class,
            WorkerCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class ShredderCommand {

    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int OUTPUT_CLOSED = 141;

    private ShredderCommand() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        int exitCode = commandLine().execute(args);
        if (exitCode == 0 && System.out.checkError()) {
            System.err.println("shredder: can't write to standard output: direct it elsewhere");
            exitCode = FAILED;
        }
        System.exit(exitCode);
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new ShredderCommand());
        IVersionProvider release = () -> new String[] {Release.line("shredder")};
        line.getCommandSpec().versionProvider(release);
        line.getSubcommands().values().forEach(sub -> sub.getCommandSpec().versionProvider(release));
        return line.setParameterExceptionHandler(ShredderCommand::reportUsage)
                .setExecutionExceptionHandler(ShredderCommand::reportFailure);
    }

    private static int reportUsage(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println("shredder: " + e.getMessage() + " (see '" + command + " --help')");
        return USAGE;
    }

    private static int reportFailure(Exception e, CommandLine commandLine, ParseResult parsed) {
        if (e instanceof OutputClosedException) {
            return OUTPUT_CLOSED;
        }
        commandLine.getErr().println("shredder: " + e.getMessage());
        return e instanceof InvalidOptionException || e instanceof InvalidParamsException ? USAGE : FAILED;
    }
}
