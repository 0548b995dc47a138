// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.agent.index.BulkSealing;
import io.shredder.backup.agent.index.SealedIndex;
import io.shredder.backup.command.Logging;
import io.shredder.it.corpus.Folders;
import io.shredder.it.device.DeviceAesGcm;
import io.shredder.it.figures.Table;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The agent's index against RocksDB, and against itself without encryption of index or log, or with encryption on a
 * GPU, one after another on the same entries. The rows of Kirby's tables 4.10 to 4.14 (insert, remove, search; log,
 * merge, replay; encryption by none, CPU and GPU) with today's cipher.
 *
 * @param entries in each index
 * @param rounds of look-ups, whose median counts
 * @param only what is measured, as {@link #subjects} has it; none means all but those on a GPU
 * @param gpu encrypts where it is asked to; null if there is none
 */
public record IndexBench(long entries, int rounds, Set<String> only, @Nullable DeviceAesGcm gpu) {
    private static final Executor THREADS = work -> new Thread(work, "index-merge").start();
    private static final String GPU = "gpu";

    /** What is measured, in order. */
    private enum Subject {
        ROCKSDB("RocksDB, clear"),
        SEALED("ours, runs AES, log AES"),
        LOG_SEALED("ours, runs clear, log AES"),
        RUNS_SEALED("ours, runs AES, log clear"),
        CLEAR("ours, runs clear, log clear"),
        GPU_SEALED("ours, runs AES on GPU, log on GPU"),
        GPU_LOG_SEALED("ours, runs clear, log AES on GPU"),
        GPU_RUNS_SEALED("ours, runs AES on GPU, log clear");

        private final String title;

        Subject(String title) {
            this.title = title;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private boolean onGpu() {
            return word().startsWith(GPU);
        }
    }

    /** Names of what can be measured. */
    public static List<String> subjects() {
        return Stream.of(Subject.values()).map(Subject::word).toList();
    }

    /** Those of them that need a GPU. */
    public static boolean needsGpu(String subject) {
        return subject.startsWith(GPU);
    }

    /** Measures in a temporary folder below {@code target}. Rates are thousands a second. */
    public Table measure() throws IOException {
        Logging.setUp("ERROR");
        List<String> columns = new ArrayList<>(List.of("index"));
        columns.addAll(IndexMeasurements.COLUMNS);
        List<List<String>> rows = new ArrayList<>();
        for (Subject subject : Subject.values()) {
            if (only.isEmpty() ? !subject.onGpu() : only.contains(subject.word())) {
                rows.add(measure(subject));
            }
        }
        return new Table(
                String.format(
                        Locale.ROOT,
                        "%,d entries, %,d questions, median of %d rounds; thousands a second, seconds to open, bytes an"
                                + " entry",
                        entries,
                        IndexMeasurements.QUESTIONS,
                        rounds),
                columns,
                rows);
    }

    /** What is resident of this process, its peak, and what the heap may grow to. */
    public static String memory() throws IOException {
        long process = ProcessHandle.current().pid();
        return ProcessMemory.residentBytes(process) / 1_000_000 + " MB resident, "
                + ProcessMemory.mostResidentBytes(process) / 1_000_000 + " MB at its peak, heap of at most "
                + Runtime.getRuntime().maxMemory() / 1_000_000 + " MB";
    }

    private List<String> measure(Subject subject) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target"), "index-benchmark");
        try {
            @Nullable SealedIndex ours = ours(subject);
            var measured = new IndexMeasurements(folder, opener(ours), entries, rounds);
            List<String> cells = new ArrayList<>(List.of(subject.title));
            measured.run(ours).forEach(figure -> cells.add(shown(figure)));
            return cells;
        } finally {
            Folders.delete(folder);
        }
    }

    private static String shown(@Nullable Double figure) {
        return figure == null ? "-" : String.format(Locale.ROOT, figure < 100 ? "%.2f" : "%.0f", figure);
    }

    private @Nullable SealedIndex ours(Subject subject) {
        return switch (subject) {
            case ROCKSDB -> null;
            case SEALED -> SealedIndex.ALL;
            case LOG_SEALED -> SealedIndex.LOG;
            case RUNS_SEALED -> SealedIndex.RUNS;
            case CLEAR -> SealedIndex.NOTHING;
            case GPU_SEALED -> onGpu(true, true);
            case GPU_LOG_SEALED -> onGpu(true, false);
            case GPU_RUNS_SEALED -> onGpu(false, true);
        };
    }

    private SealedIndex onGpu(boolean log, boolean runs) {
        Objects.requireNonNull(gpu, "no GPU was opened to encrypt with");
        return BulkSealing.index(gpu::cipher, log, runs);
    }

    private static IndexMeasurements.Opener opener(@Nullable SealedIndex ours) {
        return ours == null
                ? (folder, tableEntries) -> RocksIndex.open(folder)
                : (folder, tableEntries) -> ours.open(folder, tableEntries, THREADS);
    }
}
