// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One stream on 1, 2, 4, ... threads of the CPU, beside what memory gives to as many. */
final class ThreadsPart implements Bench.Part {
    private static final String NAME = "threads";
    private static final List<String> DIGESTS = List.of("none", "sha256", "blake3");

    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        Output memory = bench.programs()
                .run("threads-memory", Map.of(), "shredder_memory", List.of("--rounds", "" + bench.rounds()));
        List<Integer> threads = memory.rows().stream()
                .filter(row -> row.name().equals("memory-read"))
                .map(row -> (int) row.number("threads"))
                .toList();
        var rows = new ArrayList<ProgramRow>();
        for (String digest : DIGESTS) {
            for (int count : threads) {
                rows.add(bench.row(name(digest, count), "cpu")
                        .with("threads", count)
                        .with("digest", digest));
            }
        }
        report(bench.report(), threads, memory, bench.rates(NAME, rows));
    }

    private static String name(String digest, int threads) {
        return digest + " " + threads;
    }

    private static void report(Report report, List<Integer> threads, Output memory, Output rates) {
        var cells = new ArrayList<List<String>>();
        var curves = new ArrayList<Curve>();
        for (String digest : DIGESTS) {
            var points = new ArrayList<Point>();
            double one = rate(rates, name(digest, 1));
            for (int count : threads) {
                double rate = rate(rates, name(digest, count));
                cells.add(List.of(
                        digest.equals("none") ? "scan + cuts" : "scan + cuts + " + digest,
                        "" + count,
                        Table.cell(rate),
                        Table.cell(rate / one),
                        Table.cell(read(memory, count))));
                if (rate > 0) {
                    points.add(new Point(count, rate));
                }
            }
            curves.add(new Curve(digest.equals("none") ? "scan + cuts" : "with " + digest, points));
        }
        curves.add(new Curve(
                "linear read of memory",
                threads.stream()
                        .map(count -> new Point(count, read(memory, count)))
                        .toList()));
        report.add(new Table(
                "One stream on the CPU, bytes in the ring",
                List.of("what", "threads", "GB/s", "x one thread", "memory read, GB/s"),
                cells));
        report.add(new Chart(
                "cpu-threads",
                "One stream on the threads of a CPU",
                new Axis("threads", Scale.LINEAR),
                new Axis("GB/s", Scale.LINEAR),
                curves));
    }

    private static double rate(Output output, String name) {
        return output.row(name).map(Row::rate).orElse(Double.NaN);
    }

    private static double read(Output memory, int threads) {
        return memory.rows().stream()
                .filter(row -> row.name().equals("memory-read") && row.number("threads") == threads)
                .findFirst()
                .map(Row::rate)
                .orElse(Double.NaN);
    }
}
