// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which folder counts as the keeper of each place: the one that came with the last replacement there. Each replacement
 * is made by a writer who knows those before it, so of two of a store's one covers the other. Immutable.
 *
 * @param places those that were replaced, by number
 */
public record Replacements(SortedMap<Integer, Last> places) {

    /** Nothing was ever replaced. */
    public static final Replacements NONE = new Replacements(Collections.emptySortedMap());

    /**
     * The last replacement of a place.
     *
     * @param epoch in which it was made, at least 1: no two replacements have the same
     * @param when by the clock of whoever made it, in whole seconds
     */
    public record Last(int epoch, Instant when) {}

    /** Copies the map. */
    public Replacements {
        places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
    }

    /** The epoch in which a place got its keeper; 0 if it still has its first one. */
    public int epochOf(int place) {
        Last last = places.get(place);
        return last == null ? 0 : last.epoch();
    }

    /** With one more. */
    public Replacements with(int place, Last last) {
        TreeMap<Integer, Last> more = new TreeMap<>(places);
        more.put(place, last);
        return new Replacements(more);
    }

    /** Of each place the last one that either knows. */
    public Replacements and(Replacements other) {
        TreeMap<Integer, Last> both = new TreeMap<>(places);
        other.places.forEach((place, last) ->
                both.merge(place, last, (one, another) -> one.epoch() >= another.epoch() ? one : another));
        return new Replacements(both);
    }

    /** Whether it knows all that the other knows. */
    public boolean covers(Replacements other) {
        return and(other).equals(this);
    }

    /** A line for each place. */
    String lines() {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<Integer, Last> each : places.entrySet()) {
            lines.append("replaced ").append(each.getKey());
            lines.append(' ').append(each.getValue().epoch());
            lines.append(' ').append(each.getValue().when()).append('\n');
        }
        return lines.toString();
    }
}
