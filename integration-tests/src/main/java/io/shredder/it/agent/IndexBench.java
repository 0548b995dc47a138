// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.agent.index.SealedIndex;
import io.shredder.backup.command.Logging;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The agent's index against RocksDB, and against itself without encryption of index or log, one after another on the
 * same entries. The rows of Kirby's tables 4.9 to 4.14 (insert, remove, search; log, merge, replay; none and CPU
 * encryption) with today's cipher.
 *
 * @param entries in each index
 * @param rounds of look-ups, whose median counts
 * @param only what is measured, as {@link #subjects} has it; none means all
 */
public record IndexBench(long entries, int rounds, Set<String> only) {
    private static final Executor THREADS = work -> new Thread(work, "index-merge").start();

    /** What is measured, in order. */
    private enum Subject {
        ROCKSDB("RocksDB, clear", null),
        SEALED("ours, runs AES, log AES", SealedIndex.ALL),
        LOG_SEALED("ours, runs clear, log AES", SealedIndex.LOG),
        RUNS_SEALED("ours, runs AES, log clear", SealedIndex.RUNS),
        CLEAR("ours, runs clear, log clear", SealedIndex.NOTHING);

        private final String title;
        private final @Nullable SealedIndex ours;

        Subject(String title, @Nullable SealedIndex ours) {
            this.title = title;
            this.ours = ours;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Names of what can be measured. */
    public static List<String> subjects() {
        return Stream.of(Subject.values()).map(Subject::word).toList();
    }

    /** Measures in a temporary folder below {@code target}, and prints. */
    public void run() throws IOException {
        Logging.setUp("ERROR");
        System.out.printf(
                Locale.ROOT,
                "%,d entries, %,d questions, median of %d rounds; thousands a second, seconds to open, bytes an entry%n%n",
                entries,
                IndexMeasurements.QUESTIONS,
                rounds);
        System.out.printf("%-28s", "index");
        IndexMeasurements.COLUMNS.forEach(column -> System.out.printf(" %8s", column));
        System.out.println();
        for (Subject subject : Subject.values()) {
            if (only.isEmpty() || only.contains(subject.word())) {
                measure(subject);
            }
        }
        System.out.println("\nthis process: " + memory());
    }

    /** What is resident, its peak, and what the heap may grow to. */
    private static String memory() throws IOException {
        long process = ProcessHandle.current().pid();
        return ProcessMemory.residentBytes(process) / 1_000_000 + " MB resident, "
                + ProcessMemory.mostResidentBytes(process) / 1_000_000 + " MB at its peak, heap of at most "
                + Runtime.getRuntime().maxMemory() / 1_000_000 + " MB";
    }

    private void measure(Subject subject) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target"), "index-benchmark");
        try {
            var measured = new IndexMeasurements(folder, opener(subject.ours), entries, rounds);
            List<@Nullable Double> figures = measured.run(subject.ours);
            System.out.printf("%-28s", subject.title);
            figures.forEach(figure -> System.out.printf(" %8s", shown(figure)));
            System.out.println();
        } finally {
            Folders.delete(folder);
        }
    }

    private static String shown(@Nullable Double figure) {
        return figure == null ? "-" : String.format(Locale.ROOT, figure < 100 ? "%.2f" : "%.0f", figure);
    }

    private static IndexMeasurements.Opener opener(@Nullable SealedIndex ours) {
        return ours == null
                ? (folder, tableEntries) -> RocksIndex.open(folder)
                : (folder, tableEntries) -> ours.open(folder, tableEntries, THREADS);
    }
}
