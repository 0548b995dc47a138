// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current view. The writer rotates tables, the merging thread replaces runs, one at a time; readers wait for
 * nobody.
 */
final class IndexViews implements Closeable {

    private volatile IndexView current;

    /** Takes over the runs, newest first. */
    IndexViews(List<Run> runs) throws IOException {
        current = new IndexView(new Memtable(), null, runs);
        for (Run run : runs) {
            run.release();
        }
    }

    /** The current view without holding it: good for its tables alone. */
    IndexView current() {
        return current;
    }

    /** The current view, held; the caller releases it. */
    IndexView hold() {
        while (true) {
            IndexView view = current;
            if (view.tryHold()) {
                return view;
            }
        }
    }

    /** Begins a new table; the old one is to be merged. */
    synchronized Memtable rotate() throws IOException {
        Memtable full = current.active();
        replace(new IndexView(new Memtable(), full, current.runs()));
        return full;
    }

    /** The table that was to be merged is now in a run, or was empty. */
    synchronized void flushed(@Nullable Run run) throws IOException {
        List<Run> runs = new ArrayList<>(current.runs());
        if (run != null) {
            runs.add(0, run);
        }
        replace(new IndexView(current.active(), null, runs));
        if (run != null) {
            run.release();
        }
    }

    /** These runs are now one, or nothing. */
    synchronized void merged(List<Run> replaced, @Nullable Run run) throws IOException {
        List<Run> runs = new ArrayList<>(current.runs());
        int at = runs.indexOf(replaced.get(0));
        runs.subList(at, at + replaced.size()).clear();
        if (run != null) {
            runs.add(at, run);
        }
        replace(new IndexView(current.active(), current.merging(), runs));
        if (run != null) {
            run.release();
        }
    }

    private void replace(IndexView next) throws IOException {
        IndexView old = current;
        current = next;
        old.release();
    }

    /** Nobody may ask any more. */
    @Override
    public synchronized void close() throws IOException {
        current.release();
    }
}
