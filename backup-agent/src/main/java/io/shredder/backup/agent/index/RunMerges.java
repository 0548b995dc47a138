// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ContainerPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns full tables into runs and, beside that, joins runs; readers and the writer go on meanwhile. Each step writes a
 * new file, then publishes the manifest that names it, then shows it to readers, then deletes what it replaces.
 *
 * <p>Two runs' filters are never in memory for one: that of a run that was joined is read once nobody asks any more
 * those that it replaces, into their memory. Until then, questions open a page of it where its filter would have said
 * no.
 */
final class RunMerges {

    private static final int GROWTH = 2;

    /**
     * A full table.
     *
     * @param table no longer written
     * @param covered up to where it and all older ones cover the containers
     * @param size how many chunks they hold
     * @param nextLog number of the first log segment that it does not need
     */
    record Flush(Memtable table, ContainerPosition covered, long size, int nextLog) {}

    private final IndexFiles files;
    private final IndexManifestFile manifest;
    private final IndexViews views;
    private final FilterMemory filters;
    private final BackgroundWork flushes;
    private final BackgroundWork joins;
    private final AtomicInteger lastRun;
    private volatile @Nullable Flush waiting;

    RunMerges(IndexFiles files, IndexManifestFile manifest, IndexViews views, FilterMemory filters, Executor executor) {
        this.files = files;
        this.manifest = manifest;
        this.views = views;
        this.filters = filters;
        this.flushes = new BackgroundWork("merge what was put", this::flush, executor);
        this.joins = new BackgroundWork("join its runs", this::joinRuns, executor);
        this.lastRun = new AtomicInteger(manifest.current().lastRun());
    }

    /** Whether a table still waits to become a run; then there can't be another one. */
    boolean isBusy() {
        return waiting != null;
    }

    /** Begins to merge a table. */
    void begin(Flush flush) {
        waiting = flush;
        flushes.wake();
    }

    /**
     * Waits until no table waits any more; tries once again if that had failed: there may be room on the disk by now.
     */
    void awaitFlush() throws IOException {
        flushes.awaitIdle();
        if (waiting != null) {
            flushes.wake();
            flushes.awaitIdle();
        }
        if (waiting != null) {
            Throwable cause = flushes.failure();
            throw new IOException("the index can't merge what was put: " + cause, cause);
        }
    }

    /** Waits until nothing goes on. */
    void awaitIdle() throws IOException {
        flushes.awaitIdle();
        joins.awaitIdle();
    }

    private void flush() throws IOException {
        Flush flush = waiting;
        if (flush == null) {
            return;
        }
        boolean oldest = manifest.current().runs().isEmpty();
        EntrySource entries =
                new MergedEntries(List.of(EntrySource.of(flush.table().sorted(KeyPart.ALL))), oldest);
        int firstLog = manifest.current().firstLog();
        Run run = publish(
                entries,
                flush.table().size(),
                List.of(),
                next -> next.flushed(flush.covered(), flush.size(), flush.nextLog()));
        views.flushed(run);
        waiting = null;
        for (int log = firstLog; log < flush.nextLog(); log++) {
            files.folder().delete(LogSegment.fileName(log));
        }
        joins.wake();
    }

    /** Joins the newest runs as long as the policy says so. */
    private void joinRuns() throws IOException {
        loadFilters();
        List<Run> runs = views.current().runs();
        int count = runsToJoin(runs);
        while (count > 0) {
            join(runs.subList(0, count), count == runs.size());
            runs = views.current().runs();
            count = runsToJoin(runs);
        }
    }

    private static int runsToJoin(List<Run> runs) {
        return runsToMerge(runs.stream().map(run -> run.manifest().entries()).toList());
    }

    private void join(List<Run> runs, boolean oldest) throws IOException {
        long entries = 0;
        List<EntrySource> sources = new ArrayList<>();
        for (Run run : runs) {
            sources.add(run.entries());
            entries += run.manifest().entries();
        }
        List<RunManifest> replaced = runs.stream().map(Run::manifest).toList();
        Run joined = publish(new MergedEntries(sources, oldest), entries, replaced, next -> next);
        views.merged(runs, joined);
        try {
            for (Run run : runs) {
                run.awaitUnasked();
            }
            loadFilters();
        } finally {
            for (RunManifest run : replaced) {
                files.folder().delete(RunFormat.fileName(run.number()));
            }
        }
    }

    /** Reads the filters that are not in memory: of a run that was just joined, or of one of which it failed. */
    private void loadFilters() throws IOException {
        for (Run run : views.current().runs()) {
            run.loadFilter(filters);
        }
        filters.trim();
    }

    /** The most that filters ever took together. */
    long mostFilterBytes() {
        return filters.mostBytes();
    }

    /**
     * Writes a run in place of {@code replaced}, or newest, with its filter, if there are none, and publishes it; null
     * if there was no entry.
     */
    private @Nullable Run publish(
            EntrySource entries, long maxEntries, List<RunManifest> replaced, UnaryOperator<IndexManifest> change)
            throws IOException {
        manifest.checkUsable();
        int number = lastRun.incrementAndGet();
        Run run = new RunWriter(files, number).write(entries, maxEntries);
        try {
            if (run != null && replaced.isEmpty()) {
                run.loadFilter(filters);
            }
            manifest.publish(current -> {
                List<RunManifest> runs = new ArrayList<>(current.runs());
                int at = Math.max(0, Collections.indexOfSubList(runs, replaced));
                runs.subList(at, at + replaced.size()).clear();
                if (run != null) {
                    runs.add(at, run.manifest());
                }
                return change.apply(current.withRuns(Math.max(number, current.lastRun()), runs));
            });
        } catch (IOException | RuntimeException e) {
            if (run != null) {
                run.release();
            }
            throw e;
        }
        return run;
    }

    /**
     * How many of the newest runs to join: up to the oldest that is at most {@value #GROWTH} times as large as all
     * newer ones together; 0 for none. So every run is more than twice as large as all newer ones, there are at most
     * log3(n) of them, and an entry is written again about log1.6(n) times, n being the number of tables that were
     * merged.
     */
    static int runsToMerge(List<Long> entriesNewestFirst) {
        int count = 0;
        long newer = 0;
        for (int i = 0; i < entriesNewestFirst.size(); i++) {
            if (i > 0 && newer * GROWTH >= entriesNewestFirst.get(i)) {
                count = i + 1;
            }
            newer += entriesNewestFirst.get(i);
        }
        return count;
    }
}
