// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.exact.Lab.Framework;
import io.shredder.it.exact.Pair.Outcome;
import io.shredder.it.exact.cases.AllCases;
import io.shredder.it.exact.cases.JobCase;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The process in which jobs run. It has the cluster's configuration on its class path and a working directory of its
 * own, for jobs link their cache files there, and changes its time zone and the like between runs.
 */
@Command(name = "exact-worker", description = "Plays scenarios and writes a line of JSON for each pair.")
public final class ExactWorker implements Callable<Integer> {
    @Option(names = "--target", required = true)
    private Path target;

    @Option(names = "--results", required = true)
    private Path results;

    @Option(names = "--evidence", required = true)
    private Path evidence;

    @Option(names = "--framework", defaultValue = "LOCAL")
    private Framework framework;

    @Option(names = "--seed", required = true)
    private List<Long> seeds;

    @Option(names = "--edits", required = true)
    private int edits;

    @Option(names = "--case", required = true)
    private List<String> cases;

    public static void main(String[] args) {
        System.exit(new CommandLine(new ExactWorker()).execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var json = new ObjectMapper();
        try (BufferedWriter out = Files.newBufferedWriter(results);
                var lab =
                        new Lab(framework, new ProgramJars(target), Path.of("").toAbsolutePath())) {
            for (long seed : seeds) {
                for (String name : cases) {
                    play(lab, AllCases.named(name), seed, pair -> write(out, json, pair));
                }
            }
        }
        return 0;
    }

    /** A scenario that can't be played to its end is told as a pair that proves nothing. */
    private void play(Lab lab, JobCase job, long seed, Consumer<Pair> sink) throws IOException, InterruptedException {
        try {
            new Scenario(lab, job, seed, edits, new Evidence(evidence), sink).play();
        } catch (IOException | RuntimeException e) {
            sink.accept(new Pair(job.name(), seed, "on the way", Outcome.NOT_COMPARABLE, String.valueOf(e), 0, 0, ""));
        }
        lab.places(job.name());
    }

    private static void write(BufferedWriter out, ObjectMapper json, Pair pair) {
        try {
            out.write(json.writeValueAsString(pair));
            out.newLine();
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
