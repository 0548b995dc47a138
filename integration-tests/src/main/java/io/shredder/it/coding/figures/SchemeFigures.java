// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.it.figures.Report;
import io.shredder.it.figures.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Table III: what schemes cost, and how often they fail. */
final class SchemeFigures {
    private SchemeFigures() {}

    /** @param downs numbers of machines that are down, a column each */
    static void addTo(Report report, int machines, List<Integer> downs) {
        var columns = new ArrayList<>(List.of("scheme", "k:m", "k/(k+m), %"));
        downs.forEach(down -> columns.add("1 - A, " + down + " down"));
        List<List<String>> rows = new ArrayList<>();
        for (Scheme scheme : Scheme.TABLE_3) {
            var row = new ArrayList<>(List.of(
                    scheme.title(),
                    scheme.data() + ":" + scheme.parity(),
                    String.format(Locale.ROOT, "%.2f", 100 * scheme.efficiency())));
            downs.forEach(down -> row.add(cell(scheme.unavailability(machines, down))));
            rows.add(row);
        }
        report.add(new Table(
                "IStore, table III: efficiency, and the share of files that can't be read while some of " + machines
                        + " machines are down",
                columns,
                rows));
    }

    private static String cell(double probability) {
        return probability == 0 ? "0" : String.format(Locale.ROOT, "%.1e", probability);
    }
}
