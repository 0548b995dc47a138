// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the record what several threads ask for: for all who wait by one force of the disk. And sees to it that
 * whatever file of a snapshot a crash leaves without a record is explained by what the record says. A file that is
 * alone between its name and its record, and newer than all, needs no explanation; of any other the record says before
 * that it is being published. Safe for any number of threads.
 */
final class CatalogueWrites {

    /** Of records together; leaves room for what is being published. */
    private static final int MOST_BYTES = CatalogueFormat.MAX_RECORD_BYTES / 2;

    /** Which file a snapshot has. */
    interface NamedFile {
        /** Gives it its name, durably. */
        void publish() throws IOException;

        /** Takes it away again, if it is there. */
        void withdraw() throws IOException;
    }

    /** Where it is written. */
    interface Log {
        /** Appends a record, durably, and takes in what it says. One thread at a time. */
        void append(CatalogueRecord record) throws IOException;
    }

    /** Somebody who waits for the disk; all but the record is guarded by {@link #writing}. */
    private static final class Waiting {
        private final CatalogueRecord record;
        private boolean done;
        private @Nullable Exception problem;

        Waiting(CatalogueRecord record) {
            this.record = record;
        }
    }

    /** The ids of files that may have their names and no record yet: what a crash may leave. */
    private static final class Unrecorded {
        private final TreeSet<Long> ids = new TreeSet<>();
        /** A file of a lower id would not be taken for one whose record a crash prevented. */
        private long highestKnown;

        Unrecorded(long highestKnown) {
            this.highestKnown = highestKnown;
        }

        /** Adds one; returns whether it explains itself. */
        synchronized boolean add(long id) {
            boolean alone = ids.isEmpty() && id > highestKnown;
            ids.add(id);
            return alone;
        }

        synchronized void remove(long id) {
            ids.remove(id);
        }

        synchronized void committed(long id) {
            ids.remove(id);
            highestKnown = Math.max(highestKnown, id);
        }

        /** From now on this is the highest; returns whether there are none. */
        synchronized boolean raise(long highest) {
            highestKnown = Math.max(highestKnown, highest);
            return ids.isEmpty();
        }

        synchronized List<Long> ids() {
            return List.copyOf(ids);
        }
    }

    private final Log log;
    private final Unrecorded unrecorded;

    /** Held while the disk is written. */
    private final Object writing = new Object();

    private final Queue<Waiting> waiting = new ArrayDeque<>();

    /** @param highestKnown the highest id that was ever recorded or deleted */
    CatalogueWrites(Log log, long highestKnown) {
        this.log = log;
        this.unrecorded = new Unrecorded(highestKnown);
    }

    /**
     * Gives a snapshot's file its name and records it; both are durable when this returns. If it fails, the file is
     * gone again if that can be.
     */
    void publish(CatalogueRecord.Committed snapshot, NamedFile file) throws IOException {
        long id = snapshot.info().id();
        try {
            if (!unrecorded.add(id)) {
                append(new CatalogueRecord.Publishing(List.of(id)));
            }
            publishAndRecord(snapshot, file);
        } finally {
            unrecorded.remove(id);
        }
    }

    private void publishAndRecord(CatalogueRecord.Committed snapshot, NamedFile file) throws IOException {
        try {
            file.publish();
            append(snapshot);
        } catch (IOException | RuntimeException e) {
            try {
                file.withdraw(); // Its client is told that it failed, so it must not appear later.
            } catch (IOException | RuntimeException withdrawing) {
                e.addSuppressed(withdrawing);
            }
            throw e;
        }
    }

    /**
     * To be called before any id up to this one counts as known: a file of a lower id that a crash leaves must be
     * explained.
     */
    void raise(long highest) throws IOException {
        if (!unrecorded.raise(highest)) {
            append(new CatalogueRecord.Publishing(List.of()));
        }
    }

    /**
     * Appends a record; it is durable when this returns. Of what is being published all is named, whatever the record
     * names.
     */
    void append(CatalogueRecord record) throws IOException {
        Waiting mine = new Waiting(record);
        synchronized (waiting) {
            waiting.add(mine);
        }
        synchronized (writing) {
            while (!mine.done) {
                writeTogether(next());
            }
        }
        if (mine.problem instanceof RuntimeException bug) {
            throw bug;
        } else if (mine.problem != null) {
            throw new IOException(mine.problem.getMessage(), mine.problem);
        }
    }

    /** How many wait for somebody to write what they want written. */
    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    /** Something that is done to the record as a whole. */
    interface Step {
        void run() throws IOException;
    }

    /** Does it while nobody writes. */
    void alone(Step step) throws IOException {
        synchronized (writing) {
            step.run();
        }
    }

    /** Some of those who wait, the first among them. */
    private List<Waiting> next() {
        List<Waiting> some = new ArrayList<>();
        synchronized (waiting) {
            int bytes = 0;
            while (!waiting.isEmpty()) {
                bytes += 1 + waiting.element().record.bodyBytes();
                if (!some.isEmpty() && bytes > MOST_BYTES) {
                    break;
                }
                some.add(waiting.remove());
            }
        }
        return some;
    }

    private void writeTogether(List<Waiting> some) {
        @Nullable Exception problem = new IllegalStateException("it was not written");
        try {
            CatalogueRecord record = together(some);
            log.append(record);
            for (CatalogueRecord each : record.all()) {
                if (each instanceof CatalogueRecord.Committed committed) {
                    unrecorded.committed(committed.info().id());
                }
            }
            problem = null;
        } catch (IOException | RuntimeException e) {
            problem = e;
        } finally {
            for (Waiting each : some) {
                each.problem = problem;
                each.done = true;
            }
        }
    }

    /** What is being published comes first, so that what is committed with it is not named any more. */
    private CatalogueRecord together(List<Waiting> some) {
        List<CatalogueRecord> records = new ArrayList<>();
        for (Waiting each : some) {
            if (!(each.record instanceof CatalogueRecord.Publishing)) {
                records.add(each.record);
            }
        }
        if (records.size() < some.size()) {
            List<Long> ids = unrecorded.ids();
            int from = Math.max(0, ids.size() - CatalogueRecord.MAX_PUBLISHING);
            records.add(0, new CatalogueRecord.Publishing(ids.subList(from, ids.size())));
        }
        return records.size() == 1 ? records.get(0) : new CatalogueRecord.Together(records);
    }
}
