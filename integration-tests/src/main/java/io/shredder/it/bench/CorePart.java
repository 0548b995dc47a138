// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.bench.BenchInputs.Input;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One core: our kernels beside the linear read of the same run, and other people's chunkers on the same bytes. */
final class CorePart implements Bench.Part {
    private static final String NAME = "core";
    private static final List<Integer> AVERAGES = List.of(8 << 10, 64 << 10, 1 << 20);
    private static final String COMPARED =
            "linear-read,scan-avx512,scan-avx2,cuts,cuts-sha256,cuts-blake3,openssl-sha256";

    private final BenchInputs inputs;
    private final Peers peers;

    CorePart(BenchInputs inputs, Peers peers) {
        this.inputs = inputs;
        this.peers = peers;
    }

    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        kernels(bench);
        for (String reason : peers.missing()) {
            bench.report().note(Report.NOT_HERE + reason);
        }
        for (Input input : inputs.all()) {
            if (input.file().isPresent()) {
                compare(bench, input.name(), input.file().get());
            } else {
                bench.report().note(Report.NOT_HERE + input.name() + ": " + input.missing());
            }
        }
    }

    /** Everything that this CPU can run, once. */
    private void kernels(Bench bench) throws IOException, InterruptedException {
        Output output = bench.programs()
                .run(
                        "core-kernels",
                        Map.of(),
                        "shredder_core_rates",
                        List.of("--rounds", "" + bench.rounds(), "--bytes", "" + inputs.bytes()));
        bench.report().keep(NAME, output.rows());
        Row read = output.row("linear-read").orElseThrow(() -> new IOException("no linear read in core-kernels.log"));
        bench.report()
                .add(new Table(
                        "One core, random bytes from memory, average 8 KiB, by thread CPU time",
                        List.of("what", "GB/s", "x linear read"),
                        output.rows().stream()
                                .map(row -> List.of(
                                        row.name(), Table.cell(row.rate()), Table.cell(row.timesFasterThan(read))))
                                .toList()));
    }

    private void compare(Bench bench, String input, Path file) throws IOException, InterruptedException {
        var columns = new ArrayList<>(List.of("GB/s"));
        Map<String, List<String>> cells = new LinkedHashMap<>();
        for (int average : AVERAGES) {
            for (boolean limits : new boolean[] {true, false}) {
                List<Row> rows = measure(bench, file, average, limits);
                bench.report().keep(NAME + ", " + input + (limits ? "" : ", no limits"), rows);
                columns.add((average >> 10) + " KiB" + (limits ? "" : ", no limits"));
                for (Row row : rows) {
                    List<String> line = cells.computeIfAbsent(row.name(), name -> new ArrayList<>());
                    while (line.size() < columns.size() - 2) {
                        line.add("-");
                    }
                    line.add(Table.cell(row.rate()));
                }
            }
        }
        var rows = new ArrayList<List<String>>();
        cells.forEach((name, line) -> {
            var row = new ArrayList<>(List.of(name));
            row.addAll(line);
            while (row.size() < columns.size()) {
                row.add("-");
            }
            rows.add(row);
        });
        bench.report()
                .add(new Table(
                        "One core, " + input + ", " + (inputs.bytes() >> 20) + " MiB, chunks of a quarter to four times"
                                + " the average or without limits",
                        columns,
                        rows));
    }

    private List<Row> measure(Bench bench, Path file, int average, boolean limits)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("--rounds", "3", "--average", "" + average, "--only", COMPARED));
        words.addAll(List.of("--bytes", "" + inputs.bytes()));
        if (!limits) {
            words.add("--no-limits");
        }
        words.add(file.toString());
        var rows = new ArrayList<>(bench.programs()
                .run("core-compared", Map.of(), "shredder_core_rates", words)
                .rows());
        var sizes = new Peers.Sizes(average, limits ? average / 4 : 0, limits ? 4L * average : 0);
        rows.addAll(peers.run(file, inputs.bytes(), sizes, bench.quick() ? 1 : 2));
        return rows;
    }
}
