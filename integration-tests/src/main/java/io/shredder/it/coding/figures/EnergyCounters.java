// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processors' own counters of energy (RAPL), as Linux shows them: one for each socket, with what it shares, without
 * memory modules. They wrap around; the time between two readings may hold one wrap.
 */
final class EnergyCounters {
    /** Where Linux has them. */
    static final Path POWERCAP = Path.of("/sys/class/powercap");

    private final List<Counter> counters;
    private final List<Long> last = new ArrayList<>();

    private EnergyCounters(List<Counter> counters) throws IOException {
        this.counters = counters;
        for (Counter counter : counters) {
            last.add(counter.microjoules());
        }
    }

    /**
     * Finds those of a folder.
     *
     * @throws IOException if there is none that can be read; the message says why
     */
    static EnergyCounters in(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("no " + folder + ", so no counter of the processors' energy");
        }
        List<Counter> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            // Parts of a socket have two numbers; others with one are of the whole machine, sockets and all.
            for (Path entry : entries.filter(
                            path -> path.getFileName().toString().matches("intel-rapl:\\d+"))
                    .sorted()
                    .toList()) {
                if (text(entry.resolve("name")).startsWith("package")) {
                    found.add(new Counter(entry.resolve("energy_uj"), number(entry.resolve("max_energy_range_uj"))));
                }
            }
        }
        if (found.isEmpty()) {
            throw new IOException("no socket's counter of energy in " + folder);
        }
        for (Counter counter : found) {
            if (!Files.isReadable(counter.file())) {
                throw new IOException(counter.file() + " may not be read by this user (root may)");
            }
        }
        return new EnergyCounters(found);
    }

    /** Joules of all sockets since the last call, or since they were found. */
    double joules() throws IOException {
        long sum = 0;
        for (int i = 0; i < counters.size(); i++) {
            long now = counters.get(i).microjoules();
            sum += counters.get(i).between(last.get(i), now);
            last.set(i, now);
        }
        return sum / 1e6;
    }

    /**
     * One socket's.
     *
     * @param range what it counts to before it begins again at 0
     */
    record Counter(Path file, long range) {
        long microjoules() throws IOException {
            return number(file);
        }

        long between(long before, long after) {
            return after >= before ? after - before : after + range - before;
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static long number(Path file) throws IOException {
        String text = text(file);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(file + " has no number but '" + text + "'", e);
        }
    }
}
