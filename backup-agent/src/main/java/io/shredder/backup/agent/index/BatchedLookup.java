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

/** Answers many questions at once: sorted, so that each run's filter and pages are gone through in order and each page is opened once. */
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
            found.add(Optional.ofNullable(answer).filter(location -> !IndexEntry.isRemoval(location)));
        }
        return found;
    }

    /** Asks the tables; returns the questions that stay open, in order of their fingerprints. */
    private int[] inMemory() {
        List<Integer> open = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers[i] = view.findInMemory(keys.get(i));
            if (answers[i] == null) {
                open.add(i);
            }
        }
        open.sort((a, b) -> keys.get(a).compareTo(keys.get(b)));
        return open.stream().mapToInt(Integer::intValue).toArray();
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
