// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.programs.NativePrograms;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/** What the parts of a bench share: programs to measure with, the report, how much to measure. For one thread. */
final class Bench {
    /** One piece of a bench, with tables and plots of its own. */
    interface Part {
        void measure(Bench bench) throws IOException, InterruptedException;
    }

    private static final int MOST_CPU_GIB = 16;

    private final NativePrograms programs;
    private final Report report;
    private final boolean gpu;
    private final boolean quick;
    private OptionalDouble linkRate = OptionalDouble.empty();

    Bench(NativePrograms programs, Report report, boolean gpu, boolean quick) {
        this.programs = programs;
        this.report = report;
        this.gpu = gpu;
        this.quick = quick;
    }

    NativePrograms programs() {
        return programs;
    }

    Report report() {
        return report;
    }

    /** Whether to measure what needs a GPU. */
    boolean gpu() {
        return gpu;
    }

    /** Whether to measure less, in a few minutes. */
    boolean quick() {
        return quick;
    }

    /** Cores of this machine. */
    int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The backend that figures of the whole engine are measured on. */
    String backend() {
        return gpu ? "cuda" : "cpu";
    }

    /** The name of what {@code cpu} stands for on this machine. */
    String bestCpuBackend() throws IOException, InterruptedException {
        ProgramRow row = ProgramRow.named("best")
                .with("backend", "cpu")
                .with("bytes", "1M")
                .with("repeat", 1);
        return programs.rates("best-cpu", List.of(row))
                .row("best")
                .orElseThrow(() -> new IOException("shredder_rates can't run on this CPU: see best-cpu.log"))
                .text("backend");
    }

    /** Repetitions of one row. */
    int rounds() {
        return quick ? 3 : 5;
    }

    /** GPUs of this machine. */
    int devices() {
        return Machine.gpus().size();
    }

    /** The copy to one device in this run, the limit of whatever a GPU gets; empty before it is measured. */
    OptionalDouble linkRate() {
        return linkRate;
    }

    void linkRate(double gbPerSecond) {
        linkRate = OptionalDouble.of(gbPerSecond);
    }

    /** A row of the whole engine, of as many bytes as the backend does in about half a second. */
    ProgramRow row(String name, String backend) {
        int gib =
                switch (backend) {
                    case "cuda" -> 16;
                    case "scalar" -> Math.max(1, cores() / 8);
                    default -> Math.min(MOST_CPU_GIB, Math.max(2, cores()));
                };
        String bytes = quick ? gib * 256 + "M" : gib + "G";
        return ProgramRow.named(name)
                .with("backend", backend)
                .with("bytes", bytes)
                .with("repeat", rounds());
    }

    /** Runs rows one after the other and keeps what they gave. */
    Output rates(String part, List<ProgramRow> rows) throws IOException, InterruptedException {
        Output output = programs.rates(part, rows);
        report.keep(part, output.rows());
        return output;
    }
}
