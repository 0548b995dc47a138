// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.trial;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What happened how often. Safe for any number of threads. */
public final class Tally {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** One more of these. */
    public void count(String what) {
        add(what, 1);
    }

    public void add(String what, long times) {
        counts.computeIfAbsent(what, key -> new LongAdder()).add(times);
    }

    public long of(String what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }

    /** All counts, by name. */
    @Override
    public String toString() {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }
}
