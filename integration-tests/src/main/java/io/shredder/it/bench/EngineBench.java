// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * START HERE. {@code ./run bench engine}: the limits of this machine, then the engine beside them, from one core's kernels
 * to the figures of the papers. Every part is measured by native programs ({@code shredder-native/native/tools} and {@code
 * bench}) which print rows; the parts turn rows into tables and plots.
 */
final class EngineBench {
    private final Bench bench;
    private final Map<String, Bench.Part> parts = new LinkedHashMap<>();

    EngineBench(Bench bench, BenchInputs inputs, Peers peers) {
        this.bench = bench;
        parts.put("limits", new LimitsPart());
        if (bench.gpu()) {
            parts.put("kernels", new KernelsPart());
        }
        parts.put("one core and peers", new CorePart(inputs, peers));
        parts.put("threads", new ThreadsPart());
        parts.put("end to end", new EndToEndPart(inputs));
        parts.put("figures of Shredder", new ShredderFiguresPart());
        parts.put("figures of HashGPU", new HashGpuFiguresPart());
    }

    /** Measures every part; returns how many could not be. */
    int measure() throws InterruptedException {
        int failed = 0;
        for (var part : parts.entrySet()) {
            System.err.println("bench: " + part.getKey());
            try {
                part.getValue().measure(bench);
            } catch (IOException e) {
                failed++;
                bench.report().note(part.getKey() + " could not be measured: " + e.getMessage());
            }
        }
        if (!bench.gpu()) {
            bench.report().note("CPU only: figures of GPUs need --gpu on a machine that has one");
        }
        return failed;
    }
}
