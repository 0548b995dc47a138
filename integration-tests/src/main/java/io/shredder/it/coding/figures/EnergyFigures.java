// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.it.figures.Report;
import io.shredder.it.figures.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Joules a GB in place of tables I and II, which have watts a core by data sheets. */
final class EnergyFigures {
    private static final Duration EACH = Duration.ofSeconds(5);
    private static final Duration EACH_QUICKLY = Duration.ofSeconds(1);

    private final Path powercap;
    private final Report report;
    private final Duration each;

    /** @param powercap the folder of the host's counters */
    EnergyFigures(Path powercap, Report report, boolean quick) {
        this.powercap = powercap;
        this.report = report;
        this.each = quick ? EACH_QUICKLY : EACH;
    }

    /** Adds the table, or a note of why there is none. */
    void add(boolean gpu) throws IOException, InterruptedException {
        if (gpu) {
            report.note(Report.NOT_HERE + "the GPU's energy: shredder_coding_gpu reads no counter of it");
        }
        EnergyCounters counters;
        try {
            counters = EnergyCounters.in(powercap);
        } catch (IOException e) {
            report.note(Report.NOT_HERE + "joules a GB, in place of tables I and II: " + e.getMessage());
            return;
        }
        int cores = Runtime.getRuntime().availableProcessors();
        List<List<String>> rows = new ArrayList<>();
        counters.joules();
        Thread.sleep(each.toMillis());
        rows.add(List.of("nothing", "-", Table.cell(counters.joules() / (each.toMillis() / 1e3)), "-"));
        try (var coding = new RealCoding(cores)) {
            for (Scheme scheme : Scheme.TABLE_3) {
                if (!scheme.replicates()) {
                    System.out.println("  energy: " + scheme.title());
                    rows.add(row(scheme, coding, counters));
                }
            }
        }
        report.add(new Table(
                "Energy of encoding on all " + cores + " cores, of all sockets, with what else they do",
                List.of("what", "GB/s of data", "W", "J/GB of data"),
                rows));
    }

    private List<String> row(Scheme scheme, RealCoding coding, EnergyCounters counters) throws IOException {
        coding.encode(scheme, FileTransfers.CELL_BYTES);
        counters.joules();
        long begin = System.nanoTime();
        long bytes = 0;
        while (System.nanoTime() - begin < each.toNanos()) {
            coding.encode(scheme, FileTransfers.CELL_BYTES);
            bytes += (long) scheme.data() * FileTransfers.CELL_BYTES;
        }
        double joules = counters.joules();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return List.of(
                scheme.title(),
                Table.cell(bytes / seconds / 1e9),
                Table.cell(joules / seconds),
                Table.cell(joules / (bytes / 1e9)));
    }
}
