// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What this machine's memory and links give, measured before everything that is held against it. */
final class LimitsPart implements Bench.Part {
    private static final String NAME = "limits";

    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        var cells = new ArrayList<List<String>>();
        Output memory = bench.programs()
                .run("limits-memory", Map.of(), "shredder_memory", List.of("--rounds", "" + bench.rounds()));
        bench.report().keep(NAME, memory.rows());
        for (Row row : memory.rows()) {
            cells.add(List.of(row.name() + ", threads: " + row.text("threads"), Table.cell(row.rate())));
        }
        if (bench.gpu()) {
            cells.addAll(links(bench));
        }
        bench.report().add(new Table("Limits of this machine", List.of("what", "GB/s"), cells));
    }

    private static List<List<String>> links(Bench bench) throws IOException, InterruptedException {
        Output links = bench.programs().run("limits-links", Map.of(), "shredder_transfer", List.of());
        bench.report().keep(NAME, links.rows());
        bench.linkRate(links.rows().stream()
                .filter(row -> row.name().equals("h2d") && row.number("devices") == 1)
                .findFirst()
                .orElseThrow(() -> new IOException("shredder_transfer gave no rate of device 0"))
                .rate());
        return links.rows().stream()
                .map(row -> List.of(
                        "pinned " + row.name() + ", pieces of 32 MiB, devices: " + row.text("devices"),
                        Table.cell(row.rate())))
                .toList();
    }
}
