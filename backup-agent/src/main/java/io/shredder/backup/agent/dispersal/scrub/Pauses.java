// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How long to wait until something is tried again at a keeper: longer each time, if that was not long ago. */
final class Pauses {

    /** The longest pause, in times of the first. */
    static final int MOST = 150;

    private final long firstNs;
    private final Map<Integer, Last> byPlace = new HashMap<>();

    /** Of which the first is so long. */
    Pauses(Duration first) {
        this.firstNs = first.toNanos();
    }

    private record Last(long atNs, long pauseNs) {}

    boolean isDue(int place) {
        Last last = byPlace.get(place);
        return last == null || System.nanoTime() - last.atNs() >= last.pauseNs();
    }

    /** It was tried. */
    void tried(int place) {
        long nowNs = System.nanoTime();
        Last last = byPlace.get(place);
        long mostNs = MOST * firstNs;
        long pauseNs = firstNs;
        if (last != null && nowNs - last.atNs() <= 2 * mostNs) {
            pauseNs = Math.min(mostNs, 2 * last.pauseNs());
        }
        byPlace.put(place, new Last(nowNs, pauseNs));
    }

    /** The next time is a first one. */
    void forget(int place) {
        byPlace.remove(place);
    }
}
