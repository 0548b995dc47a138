// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counters as Hadoop's client prints them at a job's end, by group and name; of several jobs added up. */
final class PrintedCounters {
    private static final Pattern HEAD = Pattern.compile("Counters: \\d+\\n.*", Pattern.DOTALL);
    private static final Pattern COUNTER = Pattern.compile("\t\t(.*)=(-?\\d+)");
    private static final String GROUP = "\t";
    private static final String OURS = "Incoop";

    /** What Hadoop counts by itself. */
    private static final List<String> HADOOPS = List.of(
            "Map-Reduce Framework",
            "File System Counters",
            "Job Counters ",
            "File Input Format Counters ",
            "File Output Format Counters ",
            "Shuffle Errors");

    private final SortedMap<String, Long> users = new TreeMap<>();
    private final SortedMap<String, Long> ours = new TreeMap<>();

    private PrintedCounters() {}

    /** Those in a client's messages. */
    static PrintedCounters in(Collection<String> messages) {
        var counters = new PrintedCounters();
        messages.stream().filter(message -> HEAD.matcher(message).matches()).forEach(counters::add);
        counters.users.values().removeIf(value -> value == 0);
        return counters;
    }

    private void add(String printed) {
        String group = "";
        for (String line : printed.split("\n", -1)) {
            Matcher counter = COUNTER.matcher(line);
            if (counter.matches()) {
                keep(group, String.valueOf(counter.group(1)), Long.parseLong(counter.group(2)));
            } else if (line.startsWith(GROUP)) {
                group = line.substring(1);
            }
        }
    }

    private void keep(String group, String name, long value) {
        if (group.equals(OURS)) {
            ours.merge(name, value, Long::sum);
        } else if (!HADOOPS.contains(group)) {
            users.merge(group + "/" + name, value, Long::sum);
        }
    }

    /** The program's own, those of 0 left out. */
    SortedMap<String, Long> users() {
        return users;
    }

    /** One of the group Incoop; 0 if it is not there. */
    long incoop(String name) {
        return ours.getOrDefault(name, 0L);
    }

    /** Whether a job reports of itself that it was incremental. */
    boolean tellOfAnIncrementalJob() {
        return incoop("CHUNKS_TOTAL") + incoop("SPLITS_TOTAL") > 0;
    }
}
