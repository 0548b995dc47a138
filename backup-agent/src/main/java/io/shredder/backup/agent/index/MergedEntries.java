// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Joins sources; of a fingerprint that several have, only the newest source's entry remains. */
final class MergedEntries implements EntrySource {

    private final PriorityQueue<Head> heads = new PriorityQueue<>();
    private final boolean dropRemovals;

    /** The next entry of a source. */
    private record Head(IndexEntry entry, int age, EntrySource source) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            int order = entry.fingerprint().compareTo(other.entry.fingerprint());
            return order != 0 ? order : Integer.compare(age, other.age);
        }
    }

    /**
     * @param sources newest first
     * @param dropRemovals if nothing older is left that removals must hide
     */
    MergedEntries(List<EntrySource> sources, boolean dropRemovals) throws IOException {
        this.dropRemovals = dropRemovals;
        for (int age = 0; age < sources.size(); age++) {
            advance(sources.get(age), age);
        }
    }

    private void advance(EntrySource source, int age) throws IOException {
        IndexEntry entry = source.next();
        if (entry != null) {
            heads.add(new Head(entry, age, source));
        }
    }

    @Override
    public @Nullable IndexEntry next() throws IOException {
        for (Head head = heads.poll(); head != null; head = heads.poll()) {
            advance(head.source(), head.age());
            skipOlder(head.entry());
            if (!dropRemovals || !IndexEntry.isRemoval(head.entry().location())) {
                return head.entry();
            }
        }
        return null;
    }

    private void skipOlder(IndexEntry newest) throws IOException {
        for (Head head = heads.peek();
                head != null && head.entry().fingerprint().equals(newest.fingerprint());
                head = heads.peek()) {
            heads.remove();
            advance(head.source(), head.age());
        }
    }
}
