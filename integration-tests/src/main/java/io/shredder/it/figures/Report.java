// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a bench measured: tables, printed as they come, plots, and every row. {@link #write} leaves {@code report.json},
 * {@code report.md} and a plot a chart. For one thread.
 */
public final class Report {
    /** A remark in the place of a figure that can't be had here. */
    public static final String NOT_HERE = "not here: ";

    private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final String heading;
    private final PrintStream output;
    private final ArrayNode rows = mapper.createArrayNode();
    private final List<Table> tables = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * An empty report.
     *
     * @param heading lines that say what was measured where and when; printed
     */
    public Report(String heading, PrintStream output) {
        this.heading = heading;
        this.output = output;
        output.println(heading);
    }

    /** Keeps a program's rows under the name of what they were measured for. */
    public void keep(String part, List<Row> measured) {
        for (Row row : measured) {
            ObjectNode kept = mapper.createObjectNode().put("part", part);
            kept.setAll((ObjectNode) row.json());
            rows.add(kept);
            row.error().ifPresent(error -> note(part + ": " + error));
        }
    }

    /** Adds a table and prints it; one without rows is left out. */
    public void add(Table table) {
        if (!table.rows().isEmpty()) {
            tables.add(table);
            output.println(table.markdown());
        }
    }

    /** Adds a chart; one without points is left out. */
    public void add(Chart chart) {
        if (!chart.curves().isEmpty()) {
            charts.add(chart);
        }
    }

    /** Adds a remark, such as why something is missing, and prints it. */
    public void note(String text) {
        if (!notes.contains(text)) {
            notes.add(text);
            output.println("note: " + text + "\n");
        }
    }

    /** Writes everything into a folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        ObjectNode all = mapper.createObjectNode().put("heading", heading);
        all.set("notes", mapper.valueToTree(notes));
        all.set("tables", mapper.valueToTree(tables));
        all.set("rows", rows);
        mapper.writeValue(folder.resolve("report.json").toFile(), all);
        Files.writeString(folder.resolve("report.md"), markdown());
        for (Chart chart : charts) {
            Files.writeString(folder.resolve(chart.id() + ".svg"), SvgChart.draw(chart));
        }
    }

    private String markdown() {
        var text = new StringBuilder(heading).append('\n');
        tables.forEach(table -> text.append('\n').append(table.markdown()));
        if (!notes.isEmpty()) {
            text.append("\nNotes:\n\n");
            notes.forEach(note -> text.append("- ").append(note).append('\n'));
        }
        charts.forEach(chart -> text.append("\n![")
                .append(chart.title())
                .append("](")
                .append(chart.id())
                .append(".svg)\n"));
        return text.toString();
    }
}
