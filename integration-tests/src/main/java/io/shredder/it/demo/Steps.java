// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/** Tells what is being done and how long it took, a line a step. */
final class Steps {
    /** One step's work. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    /** What a step gave and its seconds. */
    record Timed<T>(T value, double seconds) {}

    private final PrintStream out;

    Steps(PrintStream out) {
        this.out = out;
    }

    /** Does a step, between the two halves of its line. */
    <T> Timed<T> timed(String what, Work<T> work) throws IOException, InterruptedException {
        out.printf(Locale.ROOT, "%-58s ", what + " ...");
        out.flush();
        long startNs = System.nanoTime();
        T value = work.run();
        double seconds = (System.nanoTime() - startNs) / 1e9;
        out.printf(Locale.ROOT, "%6.1f s%n", seconds);
        return new Timed<>(value, seconds);
    }
}
