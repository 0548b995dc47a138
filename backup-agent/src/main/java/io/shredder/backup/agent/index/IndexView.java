// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables and runs that make up the index at one time, newest first: a question goes from one to the next and stops
 * at the first that knows, be it a removal. Who asks holds the view, so that its runs stay open.
 */
final class IndexView {

    private final Memtable active;
    private final @Nullable Memtable merging;
    private final List<Run> runs;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Holds the runs until it is released. */
    IndexView(Memtable active, @Nullable Memtable merging, List<Run> runs) {
        this.active = active;
        this.merging = merging;
        this.runs = List.copyOf(runs);
        this.runs.forEach(Run::hold);
    }

    Memtable active() {
        return active;
    }

    @Nullable
    Memtable merging() {
        return merging;
    }

    List<Run> runs() {
        return runs;
    }

    /** False if the view was replaced and let go meanwhile. */
    boolean tryHold() {
        int count = holders.get();
        while (count > 0) {
            if (holders.compareAndSet(count, count + 1)) {
                return true;
            }
            count = holders.get();
        }
        return false;
    }

    void release() throws IOException {
        if (holders.decrementAndGet() == 0) {
            for (Run run : runs) {
                run.release();
            }
        }
    }

    /** The location, {@link IndexEntry#NOWHERE} if it was removed, null if nobody knows it. */
    @Nullable
    ChunkLocation find(Fingerprint key) throws IOException {
        ChunkLocation location = findInMemory(key);
        for (int i = 0; location == null && i < runs.size(); i++) {
            Run run = runs.get(i);
            if (run.mayContain(key)) {
                location = run.find(key);
            }
        }
        return location;
    }

    /** {@link #find} in the tables alone. */
    @Nullable
    ChunkLocation findInMemory(Fingerprint key) {
        ChunkLocation location = active.get(key);
        return location == null && merging != null ? merging.get(key) : location;
    }

    /**
     * Keeps the runs' files open until {@link #releaseFiles}, also when the view is released before; whoever calls
     * holds it.
     */
    void holdFiles() {
        runs.forEach(Run::holdFile);
    }

    void releaseFiles() throws IOException {
        for (Run run : runs) {
            run.releaseFile();
        }
    }

    /** Visits everything of a part that is kept, in no order. The caller holds the view, or its files. */
    void forEach(KeyPart part, BiConsumer<Fingerprint, ChunkLocation> visitor) throws IOException {
        if (merging == null && runs.isEmpty()) {
            active.forEach(part, visitor);
            return;
        }
        EntrySource entries = entries(part);
        for (IndexEntry entry = entries.next(); entry != null; entry = entries.next()) {
            visitor.accept(entry.fingerprint(), entry.location());
        }
    }

    /**
     * Everything of a part that is kept, in order of fingerprints; removals are left out. The caller holds the view, or
     * its files.
     */
    private EntrySource entries(KeyPart part) throws IOException {
        List<EntrySource> sources = new ArrayList<>();
        sources.add(EntrySource.of(active.sorted(part)));
        if (merging != null) {
            sources.add(EntrySource.of(merging.sorted(part)));
        }
        runs.forEach(run -> sources.add(run.entries(part)));
        return new MergedEntries(sources, true);
    }
}
