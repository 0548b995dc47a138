// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.memo.CounterValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.Counter;

/** The counters that a job's code asked its task for, and what it has added since. Safe for several threads. */
public final class NotedCounters {

    private final Map<Name, Started> started = new LinkedHashMap<>();

    private record Name(String group, String name) {}

    /** A counter, with its value when it was first asked for. */
    private record Started(Counter counter, long before) {}

    /**
     * Takes note of a counter.
     *
     * @return {@code counter}
     */
    public synchronized <C extends Counter> C note(String group, String name, C counter) {
        note(new Name(group, name), counter, counter.getValue());
        return counter;
    }

    /** The same of a counter that was at zero when the task began. */
    public synchronized void noteFromZero(String group, String name, Counter counter) {
        note(new Name(group, name), counter, 0);
    }

    private void note(Name name, Counter counter, long before) {
        // Groups of Hadoop's have older names, too.
        if (!started.containsKey(name) && started.values().stream().noneMatch(known -> known.counter() == counter)) {
            started.put(name, new Started(counter, before));
        }
    }

    /** How many were asked for. */
    public synchronized int size() {
        return started.size();
    }

    /** What was added to them; zeros are left out. */
    public synchronized List<CounterValue> counted() {
        List<CounterValue> values = new ArrayList<>();
        started.forEach((name, counter) -> {
            long value = counter.counter().getValue() - counter.before();
            if (value != 0) {
                values.add(new CounterValue(name.group(), name.name(), value));
            }
        });
        return values;
    }
}
