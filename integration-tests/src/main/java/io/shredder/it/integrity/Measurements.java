// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.it.figures.Medians;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Rows of all rounds with what they were measured under. For one thread. */
final class Measurements {
    private final List<Row> rows = new ArrayList<>();

    /**
     * What was written and over what.
     *
     * @param fileBytes of each file
     */
    record Setting(LinkRate link, Workload workload, long fileBytes) {
        /** For people, while it is measured. */
        String title() {
            String size = fileBytes >= 1 << 20 ? (fileBytes >> 20) + " MiB" : (fileBytes >> 10) + " KiB";
            return workload.word() + " files of " + size + ", " + link.title();
        }
    }

    /** Keeps rows, completed by what they were measured under. */
    void add(Setting setting, int round, List<Row> measured) {
        for (Row row : measured) {
            ObjectNode json = (ObjectNode) row.json();
            json.put("link", setting.link().title());
            json.put("workload", setting.workload().word());
            json.put("fileBytes", setting.fileBytes());
            json.put("round", round);
            rows.add(row);
        }
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** All rounds of one. */
    List<Row> of(Setting setting, Variant variant, Cutting cutting) {
        return rows.stream()
                .filter(row -> row.text("link").equals(setting.link().title())
                        && row.text("workload").equals(setting.workload().word())
                        && row.number("fileBytes") == setting.fileBytes()
                        && row.text("variant").equals(variant.word())
                        && row.text("cutting").equals(cutting.title()))
                .toList();
    }

    /** The rounds' median of a figure; NaN of none. */
    static double median(List<Row> rounds, ToDoubleFunction<Row> figure) {
        return Medians.of(rounds.stream().map(figure::applyAsDouble).toList());
    }

    /** Millions of bytes a second. */
    static double rate(Row row) {
        return row.number("bytes") / 1e6 / row.number("seconds");
    }

    /** Millions of bytes a second, and in brackets both sides' CPU seconds for 10^9 bytes. */
    static String cell(List<Row> rounds) {
        return Table.cell(median(rounds, Measurements::rate)) + " ("
                + Table.cell(median(rounds, row -> row.number("clientCpuSeconds") * 1e9 / row.number("bytes"))) + ", "
                + Table.cell(median(rounds, row -> row.number("storeCpuSeconds") * 1e9 / row.number("bytes"))) + ")";
    }
}
