// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import com.google.common.base.Throwables;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.InvalidParamsException;
import io.shredder.release.Release;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** Errors of commands: one line on standard error, exit code 1 for what failed and 2 for wrong usage. */
public final class CommandErrors {

    private CommandErrors() {}

    /** Sets up a command line; returns it. */
    public static CommandLine install(CommandLine line) {
        register(line, HostPort.class, HostPort::parse);
        register(line, SnapshotName.class, SnapshotName::new);
        IVersionProvider release = new OfRelease(line.getCommandName());
        line.getCommandSpec().versionProvider(release);
        line.getSubcommands().values().forEach(sub -> sub.getCommandSpec().versionProvider(release));
        describeExitCodes(line);
        line.setParameterExceptionHandler(new WrongUsage());
        line.setExecutionExceptionHandler(new Failure());
        return line;
    }

    // No lambdas: Java's archive of classes leaves out interfaces as old as picocli's once a lambda implements them,
    // and with them all else that does, which is then parsed at each start.

    private static final class WrongUsage implements IParameterExceptionHandler {
        @Override
        public int handleParseException(ParameterException error, String[] words) {
            return usage(error.getCommandLine(), error.getMessage());
        }
    }

    private static final class Failure implements IExecutionExceptionHandler {
        @Override
        public int handleExecutionException(Exception error, CommandLine command, ParseResult parsed) {
            return failure(command, error);
        }
    }

    private record OfRelease(String program) implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {Release.line(program)};
        }
    }

    private static final class Parsing<T> implements ITypeConverter<T> {

        private final Function<String, T> parser;

        Parsing(Function<String, T> parser) {
            this.parser = parser;
        }

        @Override
        public T convert(String text) {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** In each command's help. */
    private static void describeExitCodes(CommandLine line) {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "done");
        codes.put("1", "failed, or damage was found; standard error says why, a line each");
        codes.put("2", "wrong usage");
        codes.put("3", "an agent shows less than it had, or other than was committed");
        codes.put("4", "nothing is deleted yet: it waits until another client confirms it");
        line.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(codes);
        line.getSubcommands().values().forEach(CommandErrors::describeExitCodes);
    }

    /** The program's exit code: a command whose words didn't reach standard output has failed, too. */
    public static int afterOutput(CommandLine line, int exitCode) {
        if (exitCode == 0 && System.out.checkError()) {
            print(line, "can't write to standard output: direct it elsewhere");
            return 1;
        }
        return exitCode;
    }

    /** Reads an option's value; what the parser says against it becomes the usage error. */
    public static <T> void register(CommandLine line, Class<T> type, Function<String, T> parser) {
        line.registerConverter(type, new Parsing<>(parser));
    }

    private static int failure(CommandLine command, Exception error) {
        Throwable cause = error;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof InvalidParamsException || cause instanceof ParameterException) {
            return usage(command, cause.getMessage());
        }
        if (cause instanceof ManyProblems many) {
            many.problems().forEach(command.getErr()::println);
            command.getErr().flush();
        } else {
            print(command, describe(cause));
        }
        LoggerFactory.getLogger(CommandErrors.class).debug("failed", error);
        return cause instanceof ExitCode own ? own.exitCode() : 1;
    }

    /** One line for any error. */
    public static String describe(Throwable error) {
        String text = String.valueOf(error.getMessage());
        if (wantsDescriptors(error)) {
            return "too many files are open (" + text + "): raise the limit, such as by 'ulimit -n 1024' or a service's"
                    + " LimitNOFILE";
        } else if (error instanceof NoSuchFileException) {
            return text + ": no such file";
        } else if (error instanceof AccessDeniedException) {
            return text + ": permission denied";
        } else if (error instanceof FileAlreadyExistsException) {
            return text + " is in the way: name another, or move it away";
        } else if (error instanceof OtherVersionException other) {
            return other.source() + ": " + other.problem();
        } else if (error instanceof DamagedDataException) {
            return text + ": put the file back from a copy, or move it away and run 'backup-agent rebuild-index'";
        } else if (error instanceof IOException) {
            return text;
        }
        return "unexpected error, please report it: " + error;
    }

    private static boolean wantsDescriptors(Throwable error) {
        return Throwables.getCausalChain(error).stream()
                .anyMatch(cause -> String.valueOf(cause.getMessage()).contains("Too many open files"));
    }

    private static int usage(CommandLine command, @org.jspecify.annotations.Nullable String text) {
        String problem = String.valueOf(text).replaceFirst("^Error: ", ""); // Of a group of options.
        print(command, problem + " (see '" + command.getCommandSpec().qualifiedName() + " --help')");
        return 2;
    }

    private static void print(CommandLine command, String text) {
        String program = command.getCommandSpec().root().name();
        command.getErr().println(program + ": " + text.replaceAll("\\s*\\R\\s*", " "));
        command.getErr().flush();
    }
}
