// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import io.shredder.incoop.verify.Finding;
import io.shredder.incoop.verify.Verification;
import io.shredder.incoop.verify.VerifyMode;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.RunJar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code incoop verify}: runs a program as {@code incoop jar} does, in its own process; checks its incremental jobs.
 */
@Command(
        name = "verify",
        description =
                "Run a program as 'incoop jar' does and prove that reuse changes nothing in the output of its jobs."
                        + " Exit codes: 0 the same, 1 different or not comparable, 2 wrong usage.",
        mixinStandardHelpOptions = true)
final class VerifyJobCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Mode mode = new Mode();

    /** What to compare with: exactly one. */
    private static final class Mode {

        @Option(names = "--full", description = "Run each job plainly, too, and compare the files of both outputs.")
        private boolean full;

        @Option(
                names = "--cold",
                description = "Run each job with an empty memo store, too, and compare the files of both outputs.")
        private boolean cold;

        @Option(
                names = "--sample",
                paramLabel = "P",
                description = "Have each job map a random fraction P (0 to 1) of the chunks again whose output is kept,"
                        + " and compare the kept output with the new one.")
        private double fraction;
    }

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Picks the chunks of --sample. Default: another one each time.")
    private @Nullable Long seed;

    @Parameters(
            paramLabel = "jar APP.jar [MAIN-CLASS] ARGS",
            arity = "2..*",
            description = "The program, as for 'incoop jar'.")
    private List<String> program = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!program.get(0).equals("jar")) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "'" + program.get(0)
                            + "' is nothing that can be verified: say 'jar APP.jar ...' after the options");
        }
        Path report = Files.createTempFile("incoop-verify", ".report");
        try {
            Verification verification = new Verification(verifyMode(), report);
            int exitCode = runProgram(verification);
            return print(verification.findings(), exitCode);
        } finally {
            Files.deleteIfExists(report);
        }
    }

    private VerifyMode verifyMode() {
        VerifyMode.Kind kind =
                mode.full ? VerifyMode.Kind.FULL : mode.cold ? VerifyMode.Kind.COLD : VerifyMode.Kind.SAMPLE;
        return new VerifyMode(kind, mode.fraction, seed == null ? System.nanoTime() : seed);
    }

    /** The program may end its process, so it gets one. */
    private int runProgram(Verification verification) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(verification.arguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RunJar.class.getName()));
        command.addAll(program.subList(1, program.size()));
        return new ProcessBuilder(command)
                .inheritIO()
                .directory(new File("."))
                .start()
                .waitFor();
    }

    private static int print(List<Finding> findings, int exitCode) {
        boolean bad = exitCode != 0;
        for (Finding finding : findings) {
            System.out.println(finding.verdict().name().toLowerCase(Locale.ROOT) + ": " + finding.text());
            bad |= finding.verdict() == Finding.Verdict.DIFFERENT || finding.verdict() == Finding.Verdict.UNKNOWN;
        }
        if (findings.isEmpty()) {
            System.out.println(
                    "unknown: no incremental job has ended: set mapreduce.framework.name to inc-yarn or inc-local");
            return 1;
        }
        if (exitCode != 0) {
            System.out.println("unknown: the program failed with exit code " + exitCode);
        }
        return bad ? 1 : 0;
    }
}
