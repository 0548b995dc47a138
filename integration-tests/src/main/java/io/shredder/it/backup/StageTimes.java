// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of a backup's stages, from outside: that of the threads that each of them has, by their names
 * (docs/THREADS-AND-LOCKS.md,
 * "Threads and locks"). Looked at often, since a thread's time goes with it; what a thread does in its last moments is
 * lost. Safe for use from several threads.
 */
public final class StageTimes implements AutoCloseable {
    private static final long INTERVAL_MS = 50;
    /** What the kernel counts in /proc on every Linux that Java 17 runs on. */
    private static final double TICKS_A_SECOND = 100;

    private static final String OTHER = "Java itself";

    /** Beginnings of threads' names, as the kernel keeps them (15 bytes), and the stage they are of. */
    private static final Map<String, String> STAGES = stages();

    private final List<Long> processes = new ArrayList<>(); // guarded by this
    private final Map<Path, Ticks> ticks = new HashMap<>(); // guarded by this
    private final Thread sampler;

    /** What a thread had used when it was first and last seen. */
    private record Ticks(String stage, long first, long last) {}

    private StageTimes() {
        sampler = new Thread(this::sampleUntilClosed, "stage-times");
        sampler.setDaemon(true);
    }

    private static Map<String, String> stages() {
        var stages = new LinkedHashMap<String, String>();
        stages.put("shredder-read", "read");
        stages.put("backup-read", "read");
        stages.put("shredder-cpu", "chunk and digest");
        stages.put("backup-compare", "compare");
        stages.put("java", "look up");
        stages.put("backup-prepare", "look up");
        stages.put("backup-forward", "compress and seal");
        stages.put("backup-record", "record");
        stages.put("agent-client-io", "send");
        stages.put("agent-client-co", "send");
        stages.put("agent-io", "receive");
        stages.put("agent-client", "digest and keep");
        stages.put("agent-work", "digest and keep");
        stages.put("container-", "write");
        stages.put("index-merge", "merge the index");
        stages.put("restore-open", "open and write");
        stages.put("local-agent", "answer");
        stages.put("C1 Compiler", "compile");
        stages.put("C2 Compiler", "compile");
        stages.put("GC Thread", "collect garbage");
        stages.put("VM Thread", "collect garbage");
        return stages;
    }

    /** Begins to watch processes that run already: what they used so far doesn't count. */
    public static StageTimes of(List<Long> running) {
        var times = new StageTimes();
        running.forEach(times::watch);
        times.sampler.start();
        return times;
    }

    /** Watches one more process; what its threads used before doesn't count. */
    public synchronized void watch(long process) {
        processes.add(process);
        sample(process, false);
    }

    /** Watches one more process, all of whose time counts. */
    synchronized void watchFromStart(long process) {
        processes.add(process);
    }

    /** CPU seconds so far by stage, in the order of the data's way. */
    public synchronized Map<String, Double> seconds() {
        sample();
        var seconds = new LinkedHashMap<String, Double>();
        STAGES.values().forEach(stage -> seconds.put(stage, 0.0));
        seconds.put(OTHER, 0.0);
        for (Ticks thread : ticks.values()) {
            seconds.merge(thread.stage(), (thread.last() - thread.first()) / TICKS_A_SECOND, Double::sum);
        }
        return seconds;
    }

    private void sampleUntilClosed() {
        try {
            while (true) {
                sample();
                Thread.sleep(INTERVAL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void sample() {
        processes.forEach(process -> sample(process, true));
    }

    private synchronized void sample(long process, boolean counting) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            threads.forEach(thread -> sample(thread, counting));
        } catch (IOException e) {
            return; // it has ended
        }
    }

    /**
     * Keeps a thread's time: its name stands in brackets; user and system time are the 12th and 13th field behind it.
     *
     * @param counting whether a thread that is new counts from its start
     */
    private synchronized void sample(Path thread, boolean counting) {
        try {
            String line = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            int nameEnd = line.lastIndexOf(')');
            String stage = stageOf(line.substring(line.indexOf('(') + 1, nameEnd));
            String[] fields = line.substring(nameEnd + 2).split(" ", -1);
            long used = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            ticks.merge(
                    thread,
                    new Ticks(stage, counting ? 0 : used, used),
                    (old, now) -> new Ticks(stage, old.first(), used));
        } catch (IOException e) {
            return; // it has ended: what was seen last counts
        }
    }

    private static String stageOf(String threadName) {
        return STAGES.entrySet().stream()
                .filter(stage -> threadName.startsWith(stage.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(OTHER);
    }

    @Override
    public void close() {
        sampler.interrupt();
    }
}
