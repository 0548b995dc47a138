// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.micrometer.core.instrument.Tags;
import io.shredder.backup.monitoring.Figures;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** What an agent's own care has to show. Thread-safe. */
final class CareFigures {

    private final Map<Name, Long> values = new ConcurrentSkipListMap<>();

    /** A figure of some care. */
    private record Name(String care, String figure) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int byCare = care.compareTo(other.care);
            return byCare != 0 ? byCare : figure.compareTo(other.figure);
        }
    }

    /** Sets a figure, which is there from now on. */
    void set(String care, String figure, long value) {
        values.put(new Name(care, figure), value);
    }

    /** Those of some care. */
    Map<String, Long> of(String care) {
        Map<String, Long> figures = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.care().equals(care)) {
                figures.put(name.figure(), value);
            }
        });
        return figures;
    }

    /** Shows all of them. */
    void show(Figures figures) {
        values.forEach((name, value) -> figures.set("care." + name.figure(), Tags.of("care", name.care()), value));
    }
}
