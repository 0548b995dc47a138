// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.pools;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one row of {@code shredder_pools} simulates, as {@code native/measure/shredder_pools.cpp} describes it.
 * Immutable.
 *
 * @param settings key and value, in order
 */
public record PoolRow(Map<String, String> settings) {
    /** A policy on so many nodes, everything else at the paper's values. */
    public static PoolRow of(String policy, int nodes) {
        return new PoolRow(Map.of())
                .with("name", policy + " on " + nodes)
                .with("policy", policy)
                .with("nodes", nodes);
    }

    /** The same row with one setting more, or changed. */
    public PoolRow with(String key, Object value) {
        String text = String.valueOf(value);
        if (text.contains(",")) {
            throw new IllegalArgumentException(key + "=" + text + ": a comma separates settings");
        }
        var changed = new LinkedHashMap<>(settings);
        changed.put(key, text);
        return new PoolRow(changed);
    }

    public String name() {
        return settings.getOrDefault("name", "");
    }

    /** As the program reads it. */
    public String word() {
        return settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
