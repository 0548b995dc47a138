// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.programs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one row of a measuring program is asked for, such as of {@code shredder_rates}: {@code
 * native/measure/rate_settings.h}. Immutable.
 *
 * @param settings key and value, in order
 */
public record ProgramRow(Map<String, String> settings) {
    /** A row of that name with everything else at its default. */
    public static ProgramRow named(String name) {
        return new ProgramRow(Map.of()).with("name", name);
    }

    /** The same row with one setting more, or changed. */
    public ProgramRow with(String key, Object value) {
        String text = String.valueOf(value);
        if (text.contains(",")) {
            throw new IllegalArgumentException(key + "=" + text + ": a comma separates settings");
        }
        var changed = new LinkedHashMap<>(settings);
        changed.put(key, text);
        return new ProgramRow(changed);
    }

    /** The row's name. */
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
