// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.DamagedDataException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes on what is found damaged: each place once, and of each file the first {@link #MOST_OF_A_FILE} places; how many
 * more there are is told at the end. For one thread.
 */
final class Damages {

    private static final int MOST_OF_A_FILE = 10;

    private final Consumer<String> listener;
    private final Map<String, Set<Long>> told = new HashMap<>();
    private final Map<String, Long> more = new HashMap<>();
    private long lastMore = -1;

    Damages(Consumer<String> listener) {
        this.listener = listener;
    }

    void tell(DamagedDataException damage) {
        Set<Long> places = told.computeIfAbsent(damage.source(), file -> new HashSet<>());
        if (places.contains(damage.offset())) {
            return;
        }
        if (places.size() < MOST_OF_A_FILE) {
            places.add(damage.offset());
            listener.accept(String.valueOf(damage.getMessage()));
        } else if (damage.offset() != lastMore) {
            more.merge(damage.source(), 1L, Long::sum);
            lastMore = damage.offset();
        }
    }

    /** Says of how many places of each file nothing was said. */
    void tellRest() {
        more.forEach((file, places) -> listener.accept(file + ": damaged at " + places + " more places"));
        more.clear();
    }

    boolean none() {
        return told.isEmpty();
    }
}
