// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.figures.Machine;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Where to measure, and for how long a call. */
public final class ScaleOptions {
    private static final String COMMIT_FILE = "COMMIT";

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description = "scale: for images and repositories, some five times the image; /dev/shm/NAME for no disk"
                    + " (default: ${DEFAULT-VALUE})")
    private Path work = Path.of("target/bench/scale");

    @Option(
            names = "--results",
            paramLabel = "FILE",
            description = "scale: rows, a line of JSON each, to which each call adds what is missing (default:"
                    + " ${DEFAULT-VALUE})")
    private Path results = Path.of("target/bench/scale.json");

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "scale: how long this call may take, such as 9m; call again for the rest (default:"
                    + " ${DEFAULT-VALUE})")
    private String budget = "24h";

    @Option(names = "--report", description = "scale: measure nothing, show what the results have")
    private boolean report;

    @Option(
            names = "--tc",
            description = "scale: a link that the relay can't carry may be held by tc, on all of this machine's"
                    + " loopback device, as root")
    private boolean tc;

    @Option(
            names = "--from",
            split = ",",
            paramLabel = "FOLDER",
            description = "scale: what images are made of (default: /usr,/opt)")
    private List<Path> from = List.of(Path.of("/usr"), Path.of("/opt"));

    /** Whether nothing is to be measured. */
    public boolean isReport() {
        return report;
    }

    /** What images are made of, as far as it is there. */
    public List<Path> from() {
        return from.stream().filter(Files::isDirectory).toList();
    }

    /** All rows so far. */
    public ScaleResults results() throws IOException {
        return new ScaleResults(results);
    }

    /** Keeps the tables beside the results, and says where. */
    public Path keep(String tables) throws IOException {
        Path file =
                Path.of(results.toString().replaceFirst("\\.json$", "") + ".md").toAbsolutePath();
        Files.createDirectories(file.getParent());
        return Files.writeString(file, tables);
    }

    /**
     * How long this call may take.
     *
     * @throws IllegalArgumentException if it is no time
     */
    public Duration budget() {
        try {
            return Duration.parse("PT" + budget.toUpperCase(Locale.ROOT));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("--budget " + budget + ": give a time such as 9m or 1h30m", e);
        }
    }

    /** Where it is measured. */
    public ScalePlace place(Path root, Path peers, Children children) throws IOException {
        return new ScalePlace(root, work.toAbsolutePath(), peers.toAbsolutePath(), tc, at(root), children);
    }

    /** A kit has no checkout, and says in a file which commit it was packed from. */
    private static String at(Path root) throws IOException {
        Path kept = root.resolve(COMMIT_FILE);
        String commit = Files.exists(kept) ? Files.readString(kept).strip() : Machine.commit(root);
        return Machine.today() + ", " + Machine.description() + ", commit " + commit;
    }
}
