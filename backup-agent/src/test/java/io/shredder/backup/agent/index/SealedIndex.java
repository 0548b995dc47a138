// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** The index by what of it is encrypted: for its tests, and for whoever measures what encryption costs. */
public final class SealedIndex {
    /** Index and log. */
    public static final SealedIndex ALL = new SealedIndex("all", Sealing.Kind.AES_256_GCM, Sealing.Kind.AES_256_GCM);
    /** The log alone. */
    public static final SealedIndex LOG = new SealedIndex("log", Sealing.Kind.AES_256_GCM, Sealing.Kind.NONE);
    /** The index alone. */
    public static final SealedIndex RUNS = new SealedIndex("runs", Sealing.Kind.NONE, Sealing.Kind.AES_256_GCM);
    /** Neither. */
    public static final SealedIndex NOTHING = new SealedIndex("nothing", Sealing.Kind.NONE, Sealing.Kind.NONE);

    private final String name;
    private final Sealing.Kind log;
    private final Sealing.Kind runs;

    SealedIndex(String name, Sealing.Kind log, Sealing.Kind runs) {
        this.name = name;
        this.log = log;
        this.runs = runs;
    }

    /** Those that every machine has. */
    public static List<SealedIndex> all() {
        return List.of(ALL, LOG, RUNS, NOTHING);
    }

    @Override
    public String toString() {
        return name;
    }

    private IndexFiles files(Path folder) {
        return new IndexFiles(
                new DiskFolder(folder), LogStructuredIndexTest.REPOSITORY, LogStructuredIndexTest.KEY, log, runs);
    }

    /** Makes an empty index in the folder. */
    public void create(Path folder) throws IOException {
        LogStructuredIndex.create(files(folder));
    }

    /**
     * Opens the index in the folder, which is made if there is none.
     *
     * @param tableEntries after which a table in memory becomes a run
     * @param merges runs what merges runs
     */
    public FingerprintIndex open(Path folder, int tableEntries, Executor merges) throws IOException {
        IndexFiles files = files(folder);
        if (!files.folder().names().contains(IndexManifestFile.NAME)) {
            LogStructuredIndex.create(files);
        }
        return LogStructuredIndex.open(files, tableEntries, merges);
    }

    /** Waits until nothing of an index, opened here, is merged any more. */
    public static void awaitMerges(FingerprintIndex index) throws IOException {
        ((LogStructuredIndex) index).awaitMerges();
    }

    /** How much memory an index, opened here, has for its runs. */
    public static long memoryBytes(FingerprintIndex index) {
        return ((LogStructuredIndex) index).memoryBytes();
    }

    /**
     * Writes runs of entries that no other run has, and joins them: reads and opens their pages, seals and forces those
     * of the one that they become. The index in the folder does not have them.
     *
     * @param runs how many
     * @param each entries in each; the numbers from 0 on are shared among them
     * @return nanoseconds of joining
     */
    public long joinNs(
            Path folder, int runs, long each, LongFunction<Fingerprint> keys, LongFunction<ChunkLocation> locations)
            throws IOException {
        IndexFiles files = files(folder);
        List<Run> written = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            List<IndexEntry> sorted = LongStream.range(i * each, (i + 1) * each)
                    .mapToObj(number -> new IndexEntry(keys.apply(number), locations.apply(number)))
                    .sorted(Comparator.comparing(IndexEntry::fingerprint))
                    .toList();
            written.add(new RunWriter(files, Integer.MAX_VALUE - i).write(EntrySource.of(sorted), each));
        }
        long began = System.nanoTime();
        List<EntrySource> sources = written.stream().map(Run::entries).toList();
        Run joined =
                new RunWriter(files, Integer.MAX_VALUE - runs).write(new MergedEntries(sources, true), runs * each);
        long took = System.nanoTime() - began;
        if (joined == null || joined.manifest().entries() != runs * each) {
            throw new IllegalStateException(
                    runs + " runs of " + each + " entries became " + (joined == null ? null : joined.manifest()));
        }
        written.add(joined);
        for (Run run : written) {
            run.release();
        }
        return took;
    }
}
