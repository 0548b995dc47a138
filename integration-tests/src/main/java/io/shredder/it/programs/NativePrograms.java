// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.programs;

import io.shredder.it.figures.Row;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The measuring programs of a CMake build of {@code shredder-native/native}, run one at a time.
 *
 * @param build the build's folder
 * @param logs where each run's output goes
 * @param children who starts them
 */
public record NativePrograms(Path build, Path logs, Children children) {

    /** What a program printed: its rows, and the lines that are none. */
    public record Output(List<Row> rows, List<String> otherLines) {
        /** The row of that name; empty if there is none or it failed. */
        public Optional<Row> row(String name) {
            return rows.stream()
                    .filter(row -> row.name().equals(name) && row.error().isEmpty())
                    .findFirst();
        }
    }

    /** Whether the build has this program. */
    public boolean has(String program) {
        return Files.isExecutable(build.resolve(program));
    }

    /** Runs {@code shredder_rates}; rows that fail are in the output with their error. */
    public Output rates(String log, List<ProgramRow> rows) throws IOException, InterruptedException {
        return run(
                log,
                Map.of(),
                "shredder_rates",
                rows.stream().map(ProgramRow::word).toList());
    }

    /** The same with the rows' rounds in turn. */
    public Output ratesInterleaved(String log, List<ProgramRow> rows) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("--interleave"));
        rows.forEach(row -> words.add(row.word()));
        return run(log, Map.of(), "shredder_rates", words);
    }

    /** The same while so many processes keep the first GPU busy. */
    public Output ratesUnderLoad(String log, int processes, List<ProgramRow> rows)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(
                List.of("" + processes, build.resolve("shredder_rates").toString(), "--interleave"));
        rows.forEach(row -> words.add(row.word()));
        return run(log, Map.of(), "shredder_stress", words);
    }

    /** The same beside a worker that lends these devices at a socket. */
    public Output ratesBesideWorker(String log, Path socket, String devices, List<ProgramRow> rows)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(
                socket.toString(), devices, build.resolve("shredder_rates").toString(), "--interleave"));
        rows.forEach(row -> words.add(row.word()));
        return run(log, Map.of(), "shredder_lend", words);
    }

    /** Runs a program of the build. */
    public Output run(String log, Map<String, String> environment, String program, List<String> words)
            throws IOException, InterruptedException {
        if (!has(program)) {
            throw new IOException(build + " has no " + program + ": build shredder-native/native there");
        }
        var command = new ArrayList<>(List.of(build.resolve(program).toString()));
        command.addAll(words);
        return run(log, environment, command);
    }

    /**
     * Runs any program that prints rows. Exit code 1 means that some rows failed, which they say themselves.
     *
     * @throws IOException if the program ended otherwise, with the end of its log
     */
    public Output run(String log, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path file = logs.resolve(log + ".log");
        Files.deleteIfExists(file);
        Child child = children.start(
                new Command(log, command, environment, Path.of("").toAbsolutePath(), file));
        int exitCode = child.waitFor();
        if (exitCode != 0 && exitCode != 1) {
            throw new IOException(log + " failed with exit code " + exitCode + " (" + file + "):\n" + child.logTail());
        }
        return parse(Files.readString(file, StandardCharsets.UTF_8));
    }

    public static Output parse(String text) throws IOException {
        var rows = new ArrayList<Row>();
        var others = new ArrayList<String>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("{")) {
                rows.add(Row.parse(line));
            } else if (!line.isBlank()) {
                others.add(line);
            }
        }
        return new Output(List.copyOf(rows), List.copyOf(others));
    }
}
