// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./run bench index}: the index against RocksDB, and against itself without encryption of index or log, one
 * after another on the same entries. The rows of Kirby's tables 4.9 to 4.14 (insert, remove, search; log, merge,
 * replay; none and CPU encryption) with today's cipher.
 */
final class IndexBenchmark {

    private static final String USAGE = "usage: ./run bench index [--entries N, as 10m] [--rounds N] [--only KIND,..]\n"
            + "  KIND: rocksdb, sealed, log-sealed, runs-sealed, clear";
    private static final Executor THREADS = work -> new Thread(work, "index-merge").start();
    private static final Sealing.Kind AES = Sealing.Kind.AES_256_GCM;

    /** What is measured, in order. */
    private enum Subject {
        ROCKSDB("RocksDB, clear", Sealing.Kind.NONE, Sealing.Kind.NONE),
        SEALED("ours, runs AES, log AES", AES, AES),
        LOG_SEALED("ours, runs clear, log AES", AES, Sealing.Kind.NONE),
        RUNS_SEALED("ours, runs AES, log clear", Sealing.Kind.NONE, AES),
        CLEAR("ours, runs clear, log clear", Sealing.Kind.NONE, Sealing.Kind.NONE);

        private final String title;
        private final Sealing.Kind log;
        private final Sealing.Kind runs;

        Subject(String title, Sealing.Kind log, Sealing.Kind runs) {
            this.title = title;
            this.log = log;
            this.runs = runs;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private IndexFiles files(Path folder) {
            return new IndexFiles(
                    new DiskFolder(folder), LogStructuredIndexTest.REPOSITORY, LogStructuredIndexTest.KEY, log, runs);
        }
    }

    private long entries = 10_000_000;
    private int rounds = 3;
    private Set<String> only = Set.of();

    public static void main(String[] args) throws IOException {
        IndexBenchmark benchmark = new IndexBenchmark();
        try {
            benchmark.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println("bench index: " + e.getMessage() + "\n" + USAGE);
            System.exit(2);
        }
        benchmark.run();
    }

    private void parse(List<String> args) {
        for (int i = 0; i < args.size(); i += 2) {
            String option = args.get(i);
            if (i + 1 == args.size()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            String value = args.get(i + 1);
            switch (option) {
                case "--entries" -> entries = number(value);
                case "--rounds" -> rounds = Math.toIntExact(number(value));
                case "--only" -> only = kinds(value);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
    }

    private static long number(String text) {
        String digits = text.replaceAll("[km]$", "");
        if (!digits.matches("[1-9][0-9]{0,9}")) {
            throw new IllegalArgumentException("'" + text + "' is not a number such as 500k or 10m");
        }
        return Long.parseLong(digits) * (text.endsWith("k") ? 1000 : text.endsWith("m") ? 1_000_000 : 1);
    }

    private static Set<String> kinds(String text) {
        Set<String> chosen = Set.of(text.split(","));
        List<String> known = Arrays.stream(Subject.values()).map(Subject::word).toList();
        if (!known.containsAll(chosen)) {
            throw new IllegalArgumentException("unknown kind in '" + text + "'");
        }
        return chosen;
    }

    private void run() throws IOException {
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
        System.out.println("\nthis process: " + OwnMemory.now());
    }

    private void measure(Subject subject) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target"), "index-benchmark");
        try {
            IndexMeasurements measured = new IndexMeasurements(folder, opener(subject), entries, rounds);
            List<@Nullable Double> figures = measured.run(subject == Subject.ROCKSDB ? null : subject.files(folder));
            System.out.printf("%-28s", subject.title);
            figures.forEach(figure -> System.out.printf(" %8s", shown(figure)));
            System.out.println();
        } finally {
            IndexMeasurements.deleteAll(folder);
        }
    }

    private static String shown(@Nullable Double figure) {
        return figure == null ? "-" : String.format(Locale.ROOT, figure < 100 ? "%.2f" : "%.0f", figure);
    }

    private static IndexMeasurements.Opener opener(Subject subject) {
        if (subject == Subject.ROCKSDB) {
            return (folder, tableEntries) -> RocksIndex.open(folder);
        }
        return (folder, tableEntries) -> {
            IndexFiles files = subject.files(folder);
            if (!files.folder().names().contains(IndexManifestFile.NAME)) {
                LogStructuredIndex.create(files);
            }
            return LogStructuredIndex.open(files, tableEntries, THREADS);
        };
    }
}
