// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.input.OwnSplit;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Sorts splits into those that have to be mapped, and those whose part files are kept. Used once, by one thread. */
final class SplitSorting {

    /** As many files as one task makes without taking long. */
    private static final int MOST_PARTS_A_TASK = 500;

    private final MemoCatalog catalog;
    private final long taskBytes;
    private final List<PlannedSplit> computed = new ArrayList<>();
    private final List<Object> computedSplits = new ArrayList<>();
    private final List<List<MapOnlyPlan.KeptPart>> kept = new ArrayList<>();
    private final Set<String> keptFiles = new HashSet<>();
    private long openBytes;
    private int total;
    private long computedBytes;
    private long keptBytes;

    /** @param taskBytes of part files, after which another task brings what follows */
    SplitSorting(MemoCatalog catalog, long taskBytes) {
        this.catalog = catalog;
        this.taskBytes = taskBytes;
    }

    /**
     * Adds a split.
     *
     * @param number of its map task in a plain run
     * @param known what its part file follows from, if that can be told
     */
    void add(int number, OwnSplit split, Optional<PlannedSplit.KnownBytes> known) throws IOException {
        long length = split.part().map(FileSplit::getLength).orElse(0L);
        Optional<MemoCatalog.Known> found = known.flatMap(one -> catalog.find(MemoKind.PARTS, one.key()));
        total++;
        if (known.isPresent() && found.isPresent()) {
            keptBytes += length;
            keptFiles.add(found.get().ref().file());
            MemoCatalog.Known part = found.get();
            int splitBytes = written(split.split());
            bring(new MapOnlyPlan.KeptPart(number, known.get().key(), part.ref(), splitBytes), part.bytes());
        } else {
            computedBytes += length;
            computed.add(new PlannedSplit(number, PlannedSplit.Part.of(split.part()), known));
            computedSplits.add(split.split());
        }
    }

    /** As JobSplitWriter writes it, and a map task counts it. */
    private static int written(Object split) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        Text.writeString(out, split.getClass().getName());
        if (split instanceof Writable writable) {
            writable.write(out);
        }
        return out.getLength();
    }

    private void bring(MapOnlyPlan.KeptPart part, long bytes) {
        boolean isFull = kept.isEmpty()
                || openBytes >= taskBytes
                || kept.get(kept.size() - 1).size() >= MOST_PARTS_A_TASK;
        if (isFull) {
            kept.add(new ArrayList<>());
            openBytes = 0;
        }
        kept.get(kept.size() - 1).add(part);
        openBytes += bytes;
    }

    /** Those that have to be mapped, in the order of a plain run. */
    List<PlannedSplit> computed() {
        return computed;
    }

    /** The same as the job's own input format gave them. */
    List<Object> computedSplits() {
        return computedSplits;
    }

    /** The part files of all others; each list is for one task. */
    List<List<MapOnlyPlan.KeptPart>> kept() {
        return kept;
    }

    /** The memo files that hold them. */
    Set<String> keptFiles() {
        return keptFiles;
    }

    int total() {
        return total;
    }

    /** Bytes of input that have to be mapped. */
    long computedBytes() {
        return computedBytes;
    }

    /** Bytes of input that need not be mapped. */
    long keptBytes() {
        return keptBytes;
    }
}
