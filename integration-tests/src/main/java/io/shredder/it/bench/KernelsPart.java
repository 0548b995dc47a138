// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms.Output;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The GPU's kernels on bytes that lie in its memory: what the device could do if the link were no limit. */
final class KernelsPart implements Bench.Part {
    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        Output output = bench.programs().run("kernels", Map.of(), "shredder_kernels", List.of());
        bench.report().keep("kernels", output.rows());
        double read = output.row("read").map(Row::rate).orElse(Double.NaN);
        bench.report()
                .add(new Table(
                        "Kernels on one GPU, bytes in its memory; read and copy are the limits",
                        List.of("kernel", "average", "polynomial", "form", "GB/s", "x memory read"),
                        output.rows().stream()
                                .map(row -> List.of(
                                        row.name(),
                                        row.number("average") == 0 ? "-" : ((int) row.number("average") >> 10) + " KiB",
                                        row.text("polynomial"),
                                        row.text("form"),
                                        Table.cell(row.rate()),
                                        Table.cell(row.rate() / read)))
                                .toList()));
    }
}
