// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.backup.Operation;
import io.shredder.it.figures.Table;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What all calls have measured, as tables in Markdown. */
public final class ScaleReport {
    private static final List<Operation> OPERATIONS = List.of(
            Operation.FIRST,
            Operation.UNCHANGED,
            Operation.CHANGED,
            Operation.RESTORE,
            Operation.LOCAL_RESTORE,
            Operation.VERIFY);

    private final List<ScaleRow> all;
    private final ScaleRows rows;

    public ScaleReport(List<ScaleRow> all) {
        this.all = all;
        this.rows = new ScaleRows(all);
    }

    /** Where it was measured, then the tables that have rows. */
    public String markdown() {
        var text = new StringBuilder();
        for (String at : all.stream().map(ScaleRow::at).collect(Collectors.toCollection(TreeSet::new))) {
            text.append(at).append("\n\n");
        }
        for (Table table : List.of(rates(), costs(), stages(), images(), clients(), links(), limits())) {
            if (!table.rows().isEmpty()) {
                text.append(table.markdown()).append('\n');
            }
        }
        return text.toString();
    }

    private Table rates() {
        var columns = new ArrayList<>(List.of("cores", "who"));
        OPERATIONS.forEach(operation -> columns.add(operation.title()));
        columns.add("unchanged, work alone");
        var table = new ArrayList<List<String>>();
        for (int cores : rows.cores(Part.OPERATIONS)) {
            for (String who : contenders()) {
                var cells = new ArrayList<>(List.of(String.valueOf(cores), who));
                for (Operation operation : OPERATIONS) {
                    cells.add(megabytes(cores, who, operation, ScaleRow::rate));
                }
                cells.add(megabytes(cores, who, Operation.UNCHANGED, ScaleRow::rateOfWork));
                if (cells.stream().skip(2).anyMatch(cell -> !cell.isEmpty())) {
                    table.add(cells);
                }
            }
        }
        return new Table("MB/s of source, by the clock on the wall, start of the command and all", columns, table);
    }

    private List<String> contenders() {
        return rows.of(Part.OPERATIONS).stream().map(ScaleRow::who).distinct().toList();
    }

    private String megabytes(int cores, String who, Operation operation, ToDoubleFunction<ScaleRow> rate) {
        return rows.find(Part.OPERATIONS, who, operation.title(), cores)
                .map(row -> number("%,.0f", rate.applyAsDouble(row) / 1e6))
                .orElse("");
    }

    private Table costs() {
        var table = new ArrayList<List<String>>();
        for (ScaleRow row : rows.of(Part.OPERATIONS)) {
            table.add(List.of(
                    String.valueOf(row.cores()),
                    row.who(),
                    row.what(),
                    number("%.2f", row.seconds()),
                    number("%.2f", row.figure(Figure.START)),
                    number("%.1f", row.figure(Figure.COMMAND_CPU)),
                    number("%.1f", row.figure(Figure.AGENT_CPU)),
                    number("%.1f", row.coresBusy()),
                    number("%,.0f", row.figure(Figure.PEAK) / 1e6),
                    number("%,.0f", row.figure(Figure.REPOSITORY) / 1e6),
                    row.limits()));
        }
        return new Table(
                "Seconds, CPU seconds and memory",
                List.of(
                        "cores",
                        "who",
                        "operation",
                        "s",
                        "start s",
                        "CPU s, command",
                        "CPU s, agent",
                        "cores busy",
                        "MB resident",
                        "repository MB",
                        "busy, as the command says"),
                table);
    }

    private Table stages() {
        var table = new ArrayList<List<String>>();
        for (Part part : List.of(Part.OPERATIONS, Part.LINK)) {
            for (ScaleRow row : rows.of(part)) {
                if (!row.stages().isEmpty()) {
                    String stages = row.stages().entrySet().stream()
                            .sorted((a, b) -> Double.compare(b.getValue(), a.getValue()))
                            .map(stage -> stage.getKey() + number(" %.2f", stage.getValue()))
                            .collect(Collectors.joining(", "));
                    String link = row.gbit() > 0 ? number(" at %.0f Gbit/s", row.gbit()) : "";
                    table.add(List.of(String.valueOf(row.cores()), row.who(), row.what() + link, stages));
                }
            }
        }
        return new Table(
                "CPU seconds by the names of threads, of command and agent",
                List.of("cores", "who", "operation", "stages"),
                table);
    }

    private Table images() {
        var table = new ArrayList<List<String>>();
        for (ScaleRow row : rows.of(Part.IMAGES)) {
            table.add(List.of(
                    String.valueOf(row.cores()),
                    String.valueOf(row.count()),
                    number("%,.0f", row.rate() / 1e6),
                    number("%,.0f", row.figure(Figure.MEAN) / 1e6),
                    number("%.2f", row.figure(Figure.WORST) / row.figure(Figure.MEAN)),
                    number("%.1f", row.coresBusy()),
                    number("%,.0f", row.figure(Figure.PEAK) / 1e6),
                    row.limits()));
        }
        return new Table(
                "First backup of several images at once by one job, in all as long as the one",
                List.of(
                        "cores",
                        "images",
                        "MB/s in all",
                        "MB/s each",
                        "slowest : mean",
                        "cores busy",
                        "MB resident",
                        "busy, of the last image"),
                table);
    }

    private Table clients() {
        var table = new ArrayList<List<String>>();
        for (ScaleRow row : rows.of(Part.CLIENTS)) {
            table.add(List.of(
                    String.valueOf(row.cores()),
                    String.valueOf(row.count()),
                    number("%,.0f", row.rate() / 1e6),
                    number("%,.0f", row.figure(Figure.MEAN) / 1e6),
                    number("%.2f", row.figure(Figure.WORST) / row.figure(Figure.MEAN)),
                    number("%.1f", row.figure(Figure.COMMAND_CPU)),
                    number("%.1f", row.figure(Figure.AGENT_CPU)),
                    number("%,.0f", row.figure(Figure.PEAK) / 1e6)));
        }
        return new Table(
                "Clients at once that put new regions to one agent, all on these cores",
                List.of(
                        "cores",
                        "clients",
                        "MB/s in all",
                        "MB/s each",
                        "slowest : mean",
                        "CPU s, clients",
                        "CPU s, agent",
                        "agent's MB resident"),
                table);
    }

    private Table links() {
        var table = new ArrayList<List<String>>();
        for (ScaleRow row : rows.of(Part.LINK)) {
            table.add(List.of(
                    number("%.0f", row.gbit()),
                    row.who(),
                    row.what(),
                    number("%,.0f", row.rate() / 1e6),
                    number("%.1f", row.coresBusy()),
                    number("%.1f", row.figure(Figure.RELAY_CPU)),
                    row.limits()));
        }
        return new Table(
                "Over a link",
                List.of(
                        "Gbit/s",
                        "who",
                        "operation",
                        "MB/s of source",
                        "cores busy",
                        "CPU s of the relay, all operations",
                        "what held it; busy, as the command says"),
                table);
    }

    private Table limits() {
        var table = new ArrayList<List<String>>();
        for (ScaleRow row : rows.of(Part.LIMITS)) {
            table.add(List.of(String.valueOf(row.cores()), row.what(), number("%.1f", row.rate() / 1e9)));
        }
        return new Table(
                "What the machine gives: memory read, the target written, the image's disk read, the image sealed and digested",
                List.of("cores", "what", "GB/s"),
                table);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
