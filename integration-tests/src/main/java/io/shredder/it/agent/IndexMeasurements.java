// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.index.SealedIndex;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills one index and measures it, step by step; rates are thousands a second. Look-ups are measured by the CPU time of
 * the thread that asks, so that neighbours on the machine count for less, all else by the clock.
 */
final class IndexMeasurements {

    /** What {@link #run} returns. */
    static final List<String> COLUMNS =
            List.of("put", "hit", "miss", "batched", "remove", "merge", "replay", "open s", "B disk", "B memory");

    static final int QUESTIONS = 400_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int COMMIT_ENTRIES = 1000;
    private static final int BATCH = 4096;
    private static final int MERGED_RUNS = 2;
    private static final int MAX_MERGED_ENTRIES = 1_000_000;
    private static final int MAX_REPLAYED_ENTRIES = 500_000;

    /** Opens an index in a folder, or makes one there. */
    interface Opener {
        FingerprintIndex open(Path folder, int tableEntries) throws IOException;
    }

    /** A measurement with its own questions; returns a rate. */
    private interface Measurement {
        double run(long seed) throws IOException;
    }

    private final Path folder;
    private final Opener opener;
    private final long entries;
    private final int rounds;

    IndexMeasurements(Path folder, Opener opener, long entries, int rounds) {
        this.folder = folder;
        this.opener = opener;
        this.entries = entries;
        this.rounds = rounds;
    }

    /**
     * Measures everything, one figure a column.
     *
     * @param ours the kind of the index in the folder if it is ours, null if it has no runs and log of our kind
     */
    List<@Nullable Double> run(@Nullable SealedIndex ours) throws IOException {
        List<@Nullable Double> figures = new ArrayList<>();
        @Nullable Double memory = null;
        double disk;
        try (FingerprintIndex index = opener.open(folder, LogStructuredIndex.TABLE_ENTRIES)) {
            figures.add(fill(index, 0, entries));
            rest(index);
            disk = (double) bytes(folder) / entries;
            if (ours != null) {
                memory = (double) SealedIndex.memoryBytes(index) / entries;
            }
            figures.add(median(seed -> ask(index, questions(seed, 0), true)));
            figures.add(median(seed -> ask(index, questions(seed, 1L << 40), false)));
            figures.add(median(seed -> askBatched(index, questions(seed, 0))));
            figures.add(removals(index));
        }
        figures.add(ours == null ? null : merge(ours));
        figures.add(ours == null ? null : replay());
        figures.add(openSeconds());
        figures.add(disk);
        figures.add(memory);
        return figures;
    }

    private static void rest(FingerprintIndex index) throws IOException {
        if (index instanceof RocksIndex peer) {
            peer.compact();
        } else {
            SealedIndex.awaitMerges(index);
        }
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

    private static double fill(FingerprintIndex index, long from, long count) throws IOException {
        long began = System.nanoTime();
        for (long i = 0; i < count; i++) {
            index.put(key(from + i), location(from + i));
            if ((i + 1) % COMMIT_ENTRIES == 0) {
                index.commit(new ContainerPosition(1, (int) (i / COMMIT_ENTRIES)));
            }
        }
        index.commit(new ContainerPosition(2, 0));
        return thousandsASecond(count, began);
    }

    private List<Fingerprint> questions(long seed, long base) {
        Random random = new Random(seed);
        return random.longs(QUESTIONS, 0, entries)
                .mapToObj(number -> key(base + number))
                .toList();
    }

    private static double thousandsACpuSecond(long count, long beganCpuNs) {
        return count * 1e6 / (THREADS.getCurrentThreadCpuTime() - beganCpuNs);
    }

    private static double ask(FingerprintIndex index, List<Fingerprint> questions, boolean kept) throws IOException {
        long began = THREADS.getCurrentThreadCpuTime();
        for (Fingerprint question : questions) {
            if (index.find(question).isPresent() != kept) {
                throw new IllegalStateException("wrong answer for " + question);
            }
        }
        return thousandsACpuSecond(questions.size(), began);
    }

    private static double askBatched(FingerprintIndex index, List<Fingerprint> questions) throws IOException {
        long began = THREADS.getCurrentThreadCpuTime();
        for (int at = 0; at < questions.size(); at += BATCH) {
            var found = index.findAll(questions.subList(at, Math.min(questions.size(), at + BATCH)));
            if (found.stream().anyMatch(Optional::isEmpty)) {
                throw new IllegalStateException("a question was not answered");
            }
        }
        return thousandsACpuSecond(questions.size(), began);
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

    /** Joins runs of equal size. */
    private double merge(SealedIndex ours) throws IOException {
        long each = Math.min(entries, MAX_MERGED_ENTRIES) / MERGED_RUNS;
        long tookNs = ours.joinNs(folder, MERGED_RUNS, each, IndexMeasurements::key, IndexMeasurements::location);
        return MERGED_RUNS * each * 1e6 / tookNs;
    }

    /** Opens an index of which everything is in the log. */
    private double replay() throws IOException {
        long count = Math.min(entries, MAX_REPLAYED_ENTRIES);
        Path logged = Files.createDirectory(folder.resolve("replay"));
        try (FingerprintIndex index = opener.open(logged, Integer.MAX_VALUE / 2)) {
            fill(index, 0, count);
        }
        long began = System.nanoTime();
        try (FingerprintIndex index = opener.open(logged, Integer.MAX_VALUE / 2)) {
            double rate = thousandsASecond(count, began);
            if (index.size() != count) {
                throw new IllegalStateException(index.size() + " entries are left of " + count);
            }
            return rate;
        }
    }

    private double openSeconds() throws IOException {
        long began = System.nanoTime();
        FingerprintIndex index = opener.open(folder, LogStructuredIndex.TABLE_ENTRIES);
        double seconds = (System.nanoTime() - began) / 1e9;
        index.close();
        return seconds;
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
