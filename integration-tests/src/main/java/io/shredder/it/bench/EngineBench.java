// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * {@code ./run bench engine}: the limits of this machine, then the engine beside them, from one core's
 * kernels to the figures of the papers. Every part is measured by native programs
 * ({@code shredder-native/native/measure}) which print rows; the parts turn rows into tables and plots.
 */
final class EngineBench {
    private static final String LIMITS = "limits";

    private final Bench bench;
    private final Map<String, Bench.Part> parts = new LinkedHashMap<>();

    EngineBench(Bench bench, BenchInputs inputs, Peers peers) {
        this.bench = bench;
        parts.put(LIMITS, new LimitsPart());
        if (bench.gpu()) {
            parts.put("kernels", new KernelsPart());
        }
        parts.put("core", new CorePart(inputs, peers));
        parts.put("threads", new ThreadsPart());
        parts.put("engine", new EndToEndPart(inputs));
        parts.put("java", EndToEndPart::java);
        parts.put("shredder", new ShredderFiguresPart());
        parts.put("hashgpu", new HashGpuFiguresPart());
    }

    /**
     * Leaves parts out. The limits stay: others are held against them.
     *
     * @throws IllegalArgumentException if a name is none of a part
     */
    EngineBench only(Set<String> names) {
        for (String name : names) {
            if (!parts.containsKey(name)) {
                throw new IllegalArgumentException(
                        "no part '" + name + "'; there are: " + String.join(", ", parts.keySet()));
            }
        }
        parts.keySet().removeIf(name -> !names.contains(name) && !name.equals(LIMITS));
        return this;
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
