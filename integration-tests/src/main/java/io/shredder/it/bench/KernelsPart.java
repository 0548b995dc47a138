// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.bench.NativePrograms.Output;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The GPU's kernels on bytes that lie in its memory: what the device could do if the link were no limit. */
final class KernelsPart implements Bench.Part {
    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        Output output = bench.programs().run("kernels", Map.of(), "shredder_kernels", List.of());
        bench.report().keep("kernels", output.rows());
        bench.report()
                .add(new Table(
                        "Kernels on one GPU, bytes in its memory",
                        List.of("kernel", "average", "GB/s"),
                        output.rows().stream()
                                .map(row -> List.of(
                                        row.name(),
                                        ((int) row.number("average") >> 10) + " KiB",
                                        Table.cell(row.rate())))
                                .toList()));
    }
}
