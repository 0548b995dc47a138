// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers many questions at once: sorted, so that each run's filter and pages are gone through in order and each page
 * is opened once.
 */
final class BatchedLookup {

    private final IndexView view;
    private final List<Fingerprint> keys;
    private final @Nullable ChunkLocation[] answers;

    /** The view is held by the caller. */
    BatchedLookup(IndexView view, List<Fingerprint> keys) {
        this.view = view;
        this.keys = keys;
        this.answers = new ChunkLocation[keys.size()];
    }

    List<Optional<ChunkLocation>> run() throws IOException {
        int[] open = inMemory();
        for (Run run : view.runs()) {
            if (open.length == 0) {
                break;
            }
            open = ask(run, open);
        }
        List<Optional<ChunkLocation>> found = new ArrayList<>(answers.length);
        for (ChunkLocation answer : answers) {
            found.add(answer == null || IndexEntry.isRemoval(answer) ? Optional.empty() : Optional.of(answer));
        }
        return found;
    }

    /** Asks the tables; returns the questions that stay open, in order of their fingerprints' prefixes. */
    private int[] inMemory() {
        long[] open = new long[answers.length];
        int count = 0;
        for (int i = 0; i < answers.length; i++) {
            answers[i] = view.findInMemory(keys.get(i));
            if (answers[i] == null) {
                open[count++] = sortable(i);
            }
        }
        Arrays.sort(open, 0, count);
        int[] sorted = new int[count];
        for (int i = 0; i < count; i++) {
            sorted[i] = (int) open[i];
        }
        return sorted;
    }

    /** The prefix's upper half, so that signed order is its unsigned order, above the question's number. */
    private long sortable(int question) {
        long prefix = keys.get(question).prefix() ^ Long.MIN_VALUE;
        return (prefix & 0xFFFF_FFFF_0000_0000L) | question;
    }

    private int[] ask(Run run, int[] open) throws IOException {
        int[] stillOpen = new int[open.length];
        int count = 0;
        for (int question : open) {
            Fingerprint key = keys.get(question);
            answers[question] = run.mayContain(key) ? run.find(key) : null;
            if (answers[question] == null) {
                stillOpen[count++] = question;
            }
        }
        return Arrays.copyOf(stillOpen, count);
    }
}
