// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most memory that processes had resident (the kernel's VmHWM), each process's own peak, added up: no less than
 * what they had together at any moment. Looked at often, since a process's record goes with it. Safe for use from
 * several threads.
 */
public final class PeakMemory implements AutoCloseable {
    private static final long INTERVAL_MS = 20;

    private final Map<Long, Long> peaks = new HashMap<>(); // guarded by this; bytes by process
    private final Thread sampler;

    private PeakMemory() {
        sampler = new Thread(this::sampleUntilClosed, "peak-memory");
        sampler.setDaemon(true);
    }

    /** Begins to watch processes that run already; their peaks so far don't count. */
    public static PeakMemory of(List<Long> running) throws IOException {
        var memory = new PeakMemory();
        for (long process : running) {
            Files.writeString(Path.of("/proc/" + process + "/clear_refs"), "5");
            memory.watch(process);
        }
        memory.sampler.start();
        return memory;
    }

    /** Watches one more process from its start. */
    public synchronized void watch(long process) {
        peaks.put(process, 0L);
    }

    /** The sum of the peaks so far, in bytes. */
    public synchronized long bytes() {
        sample();
        return peaks.values().stream().mapToLong(Long::longValue).sum();
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
        peaks.replaceAll((process, peak) -> Math.max(peak, residentPeak(process)));
    }

    /** 0 for a process that has ended. */
    private static long residentPeak(long process) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        sampler.interrupt();
    }
}
