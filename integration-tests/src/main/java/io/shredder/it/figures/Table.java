// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table of the report.
 *
 * @param title one line
 * @param columns headings
 * @param rows as many cells each as there are columns
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {
    public Table {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        title + ": " + row.size() + " cells under " + columns.size() + " headings: " + row);
            }
        }
    }

    /** A rate or a ratio for people: two decimals below 10, one below 100, none above; a dash for none. */
    public static String cell(double value) {
        if (Double.isNaN(value) || value == 0) {
            return "-";
        }
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** In Markdown, columns aligned. */
    public String markdown() {
        var widths = new ArrayList<Integer>();
        for (int column = 0; column < columns.size(); column++) {
            int width = columns.get(column).length();
            for (List<String> row : rows) {
                width = Math.max(width, row.get(column).length());
            }
            widths.add(width);
        }
        var text = new StringBuilder("### " + title + "\n\n");
        text.append(line(columns, widths));
        text.append(line(widths.stream().map("-"::repeat).toList(), widths));
        rows.forEach(row -> text.append(line(row, widths)));
        return text.toString();
    }

    private static String line(List<String> cells, List<Integer> widths) {
        var line = new StringBuilder("|");
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            line.append(' ')
                    .append(cell)
                    .append(" ".repeat(widths.get(column) - cell.length()))
                    .append(" |");
        }
        return line.append('\n').toString();
    }
}
