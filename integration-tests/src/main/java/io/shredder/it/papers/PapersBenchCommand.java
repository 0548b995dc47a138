// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.papers;

import io.shredder.it.figures.Machine;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./run bench papers}: every bench of the papers that needs no GPU, one after the other, and one page. */
@CommandLine.Command(
        name = "papers",
        mixinStandardHelpOptions = true,
        description =
                "Runs what comes of the five papers without a GPU, and writes one HTML page: each table and figure"
                        + " (docs/PAPERS.md), and what was measured, with plots.")
public final class PapersBenchCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofHours(1);

    @Option(names = "--quick", description = "less of everything, in an hour at most on two cores; else hours")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "BENCH",
            description = "some of pools, index, crypto, coding, dispersal, integrity, incoop, backup, engine; default:"
                    + " all")
    private List<String> only = List.of();

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/papers");

    @Spec
    private CommandSpec spec;

    /** What this is a command of. */
    private String program() {
        return spec.root().userObject().getClass().getName();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> unknown = only.stream()
                .filter(name ->
                        PaperBench.ALL.stream().noneMatch(bench -> bench.name().equals(name)))
                .toList();
        if (!unknown.isEmpty()) {
            System.err.println("bench: papers has no " + String.join(", ", unknown) + "; see --help");
            return CommandLine.ExitCode.USAGE;
        }
        Path root = Path.of("").toAbsolutePath();
        Files.createDirectories(out);
        long endNs = quick ? System.nanoTime() + LONGEST.toNanos() : Long.MAX_VALUE;
        List<PapersPage.Outcome> outcomes = new ArrayList<>();
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            for (PaperBench bench : PaperBench.ALL) {
                if (only.isEmpty() || only.contains(bench.name())) {
                    outcomes.add(run(bench, root, children, endNs));
                }
            }
        }
        Path page = out.resolve("index.html");
        String heading = Machine.today() + ", " + Machine.description() + ", commit " + Machine.commit(root);
        Files.writeString(
                page, new PapersPage(heading, Files.readString(root.resolve("docs/PAPERS.md")), outcomes).html());
        System.out.println("page: " + page);
        return outcomes.stream().allMatch(PapersPage.Outcome::ran) ? 0 : 1;
    }

    /** In a JVM of its own, as a user runs it. One that isn't over within the hour is ended. */
    private PapersPage.Outcome run(PaperBench bench, Path root, Children children, long endNs)
            throws IOException, InterruptedException {
        Path log = out.toAbsolutePath().resolve(bench.name() + ".log");
        Files.deleteIfExists(log);
        List<String> words = bench.words(quick);
        String command = "./run " + String.join(" ", words);
        List<String> java = Command.java(List.of("-Xmx1g"), System.getProperty("java.class.path"), program(), words);
        System.out.println(command);
        long beginNs = System.nanoTime();
        Child child = children.start(new Command(bench.name(), java, Map.of(), root, log));
        boolean late = !child.waitFor(Duration.ofNanos(endNs - System.nanoTime()));
        if (late) {
            child.stop(Duration.ofSeconds(30));
        }
        int exitCode = child.waitFor();
        Duration took = Duration.ofNanos(System.nanoTime() - beginNs);
        String end = late ? "ended: the hour was over" : exitCode == 0 ? "done" : "exit code " + exitCode;
        System.out.println("  " + end + ", " + took.toSeconds() + " s  (" + root.relativize(log) + ")");
        String printed = Files.readString(log, StandardCharsets.UTF_8);
        Path folder = root.resolve("target/bench").resolve(bench.name());
        return new PapersPage.Outcome(bench, command, took, end, exitCode == 0 && !late, printed, folder);
    }
}
