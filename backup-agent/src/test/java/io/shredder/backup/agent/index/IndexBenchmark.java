// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * {@code ./run bench index [--entries N] [--rounds N]}: the index against RocksDB, and against itself without encryption of index or log, one
 * after another on the same entries: put and commit, random hits, misses, batched hits, remove; bytes on disk and in memory. The rows of
 * Kirby's tables 4.9 to 4.14 (insert, remove, search; none and CPU encryption) with today's cipher.
 */
final class IndexBenchmark {

    private static final int COMMIT_ENTRIES = 1000;
    private static final int BATCH = 4096;
    private static final int QUESTIONS = 400_000;

    private final long entries;
    private final int rounds;

    private IndexBenchmark(long entries, int rounds) {
        this.entries = entries;
        this.rounds = rounds;
    }

    public static void main(String[] args) throws IOException {
        long entries = 10_000_000;
        int rounds = 3;
        for (int i = 0; i + 1 < args.length; i += 2) {
            if (args[i].equals("--entries")) {
                entries = Long.parseLong(args[i + 1]);
            } else if (args[i].equals("--rounds")) {
                rounds = Integer.parseInt(args[i + 1]);
            } else {
                throw new IllegalArgumentException("unknown option " + args[i] + ": --entries N or --rounds N");
            }
        }
        new IndexBenchmark(entries, rounds).run();
    }

    /** Uniform as digests are, and cheaper: two rounds of splitmix64 for each word. */
    private static Fingerprint key(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(Fingerprint.BYTES);
        long state = number * 0xD1342543DE82EF95L;
        while (bytes.hasRemaining()) {
            state += 0x9E3779B97F4A7C15L;
            long word = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            word = (word ^ (word >>> 27)) * 0x94D049BB133111EBL;
            bytes.putLong(word ^ (word >>> 31));
        }
        return Fingerprint.read(bytes.flip());
    }

    private static ChunkLocation location(long number) {
        return new ChunkLocation(1 + (int) (number >>> 10), (int) number & 0xFFFF, 40_000, 65_536);
    }

    private void run() throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%,d entries, %,d questions, median of %d rounds; thousands a second%n%n"
                        + "%-28s %8s %8s %8s %8s %8s %8s %8s%n",
                entries,
                QUESTIONS,
                rounds,
                "index",
                "put",
                "hit",
                "miss",
                "batched",
                "remove",
                "B disk",
                "B heap");
        measure("RocksDB, clear", RocksIndex::open, index -> ((RocksIndex) index).compact());
        for (Sealing.Kind log : Sealing.Kind.values()) {
            for (Sealing.Kind runs : Sealing.Kind.values()) {
                measure(
                        "ours, runs " + name(runs) + ", log " + name(log),
                        folder -> openOurs(folder, log, runs),
                        index -> ((LogStructuredIndex) index).awaitMerges());
            }
        }
    }

    private static String name(Sealing.Kind kind) {
        return kind == Sealing.Kind.NONE ? "clear" : "AES";
    }

    private static FingerprintIndex openOurs(Path folder, Sealing.Kind log, Sealing.Kind runs) throws IOException {
        IndexFiles files = new IndexFiles(
                new DiskFolder(folder), LogStructuredIndexTest.REPOSITORY, LogStructuredIndexTest.KEY, log, runs);
        LogStructuredIndex.create(files);
        return LogStructuredIndex.open(files, LogStructuredIndex.TABLE_ENTRIES, work -> {
            Thread thread = new Thread(work, "index-merge");
            thread.start();
        });
    }

    /** Opens an index in an empty folder. */
    private interface Opener {
        FingerprintIndex open(Path folder) throws IOException;
    }

    /** Waits until what goes on in the background is done. */
    private interface Rest {
        void await(FingerprintIndex index) throws IOException;
    }

    private void measure(String name, Opener opener, Rest rest) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target"), "index-benchmark");
        try (FingerprintIndex index = opener.open(folder)) {
            double put = load(index);
            rest.await(index);
            long disk = bytes(folder);
            double hit = median(seed -> hits(index, seed));
            double miss = median(seed -> misses(index, seed));
            double batched = median(seed -> batches(index, seed));
            double remove = removals(index);
            String heap = index instanceof LogStructuredIndex ours
                    ? String.format(Locale.ROOT, "%.2f", (double) ours.memoryBytes() / entries)
                    : "-";
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %8.0f %8.1f %8.0f %8.1f %8.0f %8.2f %8s%n",
                    name,
                    put,
                    hit,
                    miss,
                    batched,
                    remove,
                    (double) disk / entries,
                    heap);
        } finally {
            delete(folder);
        }
    }

    /** A measurement with its own questions; returns thousands a second. */
    private interface Measurement {
        double run(long seed) throws IOException;
    }

    private double median(Measurement measurement) throws IOException {
        List<Double> figures = new ArrayList<>();
        measurement.run(-1);
        for (int round = 0; round < rounds; round++) {
            figures.add(measurement.run(round));
        }
        figures.sort(null);
        return figures.get(rounds / 2);
    }

    private static double thousandsASecond(long count, long beganNs) {
        return count * 1e6 / (System.nanoTime() - beganNs);
    }

    private double load(FingerprintIndex index) throws IOException {
        long began = System.nanoTime();
        for (long i = 0; i < entries; i++) {
            index.put(key(i), location(i));
            if ((i + 1) % COMMIT_ENTRIES == 0) {
                index.commit(new ContainerPosition(1, (int) (i / COMMIT_ENTRIES)));
            }
        }
        index.commit(new ContainerPosition(2, 0));
        return thousandsASecond(entries, began);
    }

    private List<Fingerprint> questions(long seed, long base) {
        Random random = new Random(seed);
        return random.longs(QUESTIONS, 0, entries)
                .mapToObj(number -> key(base + number))
                .toList();
    }

    private double hits(FingerprintIndex index, long seed) throws IOException {
        return ask(index, questions(seed, 0), true);
    }

    private double misses(FingerprintIndex index, long seed) throws IOException {
        return ask(index, questions(seed, 1L << 40), false);
    }

    private static double ask(FingerprintIndex index, List<Fingerprint> questions, boolean kept) throws IOException {
        long began = System.nanoTime();
        for (Fingerprint question : questions) {
            if (index.find(question).isPresent() != kept) {
                throw new IllegalStateException("wrong answer for " + question);
            }
        }
        return thousandsASecond(questions.size(), began);
    }

    private double batches(FingerprintIndex index, long seed) throws IOException {
        List<Fingerprint> questions = questions(seed, 0);
        long began = System.nanoTime();
        for (int at = 0; at < questions.size(); at += BATCH) {
            var found = index.findAll(questions.subList(at, Math.min(questions.size(), at + BATCH)));
            if (found.stream().anyMatch(java.util.Optional::isEmpty)) {
                throw new IllegalStateException("a question was not answered");
            }
        }
        return thousandsASecond(questions.size(), began);
    }

    private double removals(FingerprintIndex index) throws IOException {
        List<Fingerprint> questions = questions(1, 0);
        long began = System.nanoTime();
        int done = 0;
        for (Fingerprint question : questions) {
            index.remove(question);
            if (++done % COMMIT_ENTRIES == 0) {
                index.commit(new ContainerPosition(3, done));
            }
        }
        index.commit(new ContainerPosition(4, 0));
        return thousandsASecond(questions.size(), began);
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(java.util.Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
