// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.crypto;

import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kirby's figures 4.5 to 4.16 and tables 4.4 to 4.9: rates by the number of blocks, of one core, of all, and of a GPU,
 * and what share of a GPU's time are copies.
 */
final class CipherFigures {
    static final List<String> ALGORITHMS = List.of("crc-32", "tea", "aes-256-gcm", "chacha20-poly1305");
    private static final String SCALAR = "scalar";
    private static final String INSTRUCTIONS = "instructions";
    private static final String KERNEL = "gpu-kernel";
    private static final String TOTAL = "gpu-total";
    private static final String COPIES = "gpu-copies";

    private final List<Row> rows;
    private final boolean gpu;

    /**
     * Of what {@code shredder_crypto} printed.
     *
     * @param gpu whether a GPU was measured
     */
    CipherFigures(List<Row> rows, boolean gpu) {
        this.rows = rows;
        this.gpu = gpu;
    }

    /** Adds tables and plots. */
    void addTo(Report report) {
        report.keep("ciphers", rows);
        for (String algorithm : ALGORITHMS) {
            for (double block : blocks(algorithm).toList()) {
                report.add(table(algorithm, block));
            }
            blocks(algorithm).findFirst().ifPresent(block -> report.add(chart(algorithm, block)));
        }
    }

    private Stream<Double> blocks(String algorithm) {
        return rows.stream()
                .filter(row -> row.text("algorithm").equals(algorithm))
                .map(row -> row.number("blockBytes"))
                .distinct();
    }

    private List<Double> counts(String algorithm, double block) {
        return rows.stream()
                .filter(row -> row.text("algorithm").equals(algorithm) && row.number("blockBytes") == block)
                .map(row -> row.number("blocks"))
                .distinct()
                .toList();
    }

    private Optional<Row> row(String algorithm, double block, double count, String form, boolean allCores) {
        return rows.stream()
                .filter(row -> row.text("algorithm").equals(algorithm)
                        && row.number("blockBytes") == block
                        && row.number("blocks") == count
                        && row.text("form").equals(form)
                        && row.number("threads") > 1 == allCores)
                .findFirst();
    }

    private double rate(String algorithm, double block, double count, String form, boolean allCores) {
        return row(algorithm, block, count, form, allCores).map(Row::rate).orElse(0.0);
    }

    private Table table(String algorithm, double block) {
        List<String> columns = new ArrayList<>(
                List.of("blocks", "scalar", "scalar, all cores", "instructions", "instructions, all cores"));
        if (gpu) {
            columns.addAll(List.of("GPU, kernel", "GPU, total", "of that copies", "GPU total : all cores"));
        }
        List<List<String>> lines = new ArrayList<>();
        for (double count : counts(algorithm, block)) {
            List<String> line = new ArrayList<>(List.of(String.format(Locale.ROOT, "%,.0f", count)));
            for (String form : List.of(SCALAR, INSTRUCTIONS)) {
                line.add(Table.cell(rate(algorithm, block, count, form, false)));
                line.add(Table.cell(rate(algorithm, block, count, form, true)));
            }
            if (gpu) {
                double total = rate(algorithm, block, count, TOTAL, false);
                double cores = Math.max(
                        rate(algorithm, block, count, INSTRUCTIONS, true),
                        rate(algorithm, block, count, INSTRUCTIONS, false));
                line.add(Table.cell(rate(algorithm, block, count, KERNEL, false)));
                line.add(Table.cell(total));
                line.add(String.format(
                        Locale.ROOT, "%.0f %%", 100 * total / rate(algorithm, block, count, COPIES, false)));
                line.add(Table.cell(total / cores));
            }
            lines.add(line);
        }
        return new Table(
                String.format(Locale.ROOT, "%s, blocks of %,.0f bytes: GB/s", algorithm, block), columns, lines);
    }

    private Chart chart(String algorithm, double block) {
        List<Curve> curves = new ArrayList<>();
        for (String form : List.of(SCALAR, INSTRUCTIONS, KERNEL, TOTAL)) {
            for (boolean allCores : new boolean[] {false, true}) {
                List<Point> points = new ArrayList<>();
                for (double count : counts(algorithm, block)) {
                    row(algorithm, block, count, form, allCores)
                            .ifPresent(row -> points.add(new Point(block * count, row.rate())));
                }
                curves.add(new Curve(form + (allCores ? ", all cores" : ""), points));
            }
        }
        return new Chart(
                algorithm,
                algorithm + ": blocks of " + (long) block + " bytes",
                new Axis("bytes", Scale.BYTES),
                new Axis("GB/s", Scale.LOGARITHMIC),
                curves);
    }
}
