// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * How much a neighbour had done when, in units of its own: a line each some milliseconds, with the time of day in
 * milliseconds and the sum so far. Immutable.
 */
final class WorkLog {
    private static final long INTERVAL_NS = 20_000_000;

    private final NavigableMap<Long, Long> done;

    private WorkLog(NavigableMap<Long, Long> done) {
        this.done = done;
    }

    /** A stretch of time, in milliseconds of the day's clock. */
    record Window(long fromMs, long toMs) {
        double seconds() {
            return (toMs - fromMs) / 1e3;
        }
    }

    /** Writes such a log until the program is ended. */
    static void keep(Path file, LongSupplier sum) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            while (true) {
                out.write(System.currentTimeMillis() + " " + sum.getAsLong() + "\n");
                out.flush();
                LockSupport.parkNanos(INTERVAL_NS);
            }
        }
    }

    /** Reads what has been written; a last line without end does not count. */
    static WorkLog read(Path file) throws IOException {
        String text = Files.readString(file);
        var done = new TreeMap<Long, Long>();
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            int space = line.indexOf(' ');
            done.put(Long.parseLong(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
        }
        return new WorkLog(done);
    }

    /** Whether it tells of this time, too. */
    boolean reaches(long ms) {
        return !done.isEmpty() && done.lastKey() >= ms;
    }

    /**
     * Units a second in some windows together.
     *
     * @throws IOException if nothing was written before the first, or behind the last
     */
    double rate(List<Window> windows) throws IOException {
        double units = 0;
        double seconds = 0;
        for (Window window : windows) {
            units += at(window.toMs) - at(window.fromMs);
            seconds += window.seconds();
        }
        return units / seconds;
    }

    /** Between two lines as if the work had gone on evenly. */
    private double at(long ms) throws IOException {
        Map.Entry<Long, Long> before = done.floorEntry(ms);
        Map.Entry<Long, Long> after = done.ceilingEntry(ms);
        if (before == null || after == null) {
            throw new IOException("the neighbour says nothing of the time " + ms + ": it tells of "
                    + (done.isEmpty() ? "no time" : done.firstKey() + " to " + done.lastKey()));
        }
        long span = after.getKey() - before.getKey();
        return span == 0
                ? before.getValue()
                : before.getValue() + (after.getValue() - before.getValue()) * (double) (ms - before.getKey()) / span;
    }

    /** Windows as a row has them. */
    static List<Window> windows(JsonNode pairs) {
        List<Window> windows = new ArrayList<>();
        pairs.forEach(
                pair -> windows.add(new Window(pair.get(0).asLong(), pair.get(1).asLong())));
        return windows;
    }
}
