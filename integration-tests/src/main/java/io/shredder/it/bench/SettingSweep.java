// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.AxisTicks;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Rows of {@code shredder_rates} that differ in one setting, for several curves: a table with a column a curve, and a
 * plot.
 *
 * @param id names the part, the plot and the log
 * @param title of table and plot
 * @param setting the one that varies
 * @param values of that setting, low to high; in bytes where it is a size
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param curves a row each that has everything but the varying setting; their names are the columns
 */
record SettingSweep(
        String id, String title, String setting, List<Long> values, Axis x, Axis y, Map<String, ProgramRow> curves) {

    /** What was measured, a rate or something made of it, by curve and value of the setting. */
    record Result(Map<String, Map<Long, Row>> rows) {
        double at(String curve, long value, ToDoubleFunction<Row> figure) {
            Row row = rows.getOrDefault(curve, Map.of()).get(value);
            return row == null ? Double.NaN : figure.applyAsDouble(row);
        }
    }

    /** Measures; rows that fail are missing in the result. */
    Result measure(Bench bench) throws IOException, InterruptedException {
        var rows = new ArrayList<ProgramRow>();
        curves.forEach((curve, row) ->
                values.forEach(value -> rows.add(row.with(setting, value).with("name", nameOf(curve, value)))));
        Output output = bench.rates(id, rows);
        var found = new LinkedHashMap<String, Map<Long, Row>>();
        for (String curve : curves.keySet()) {
            var byValue = new LinkedHashMap<Long, Row>();
            for (long value : values) {
                output.row(nameOf(curve, value)).ifPresent(row -> byValue.put(value, row));
            }
            found.put(curve, byValue);
        }
        return new Result(found);
    }

    /** Adds table and plot of a figure of each row; further curves are drawn, and are columns, too. */
    void report(Report report, Result result, ToDoubleFunction<Row> figure, List<Curve> further) {
        var drawn = new ArrayList<Curve>();
        for (String curve : curves.keySet()) {
            drawn.add(new Curve(curve, points(result, curve, figure)));
        }
        drawn.addAll(further);
        var columns = new ArrayList<>(List.of(x.label()));
        drawn.forEach(curve -> columns.add(curve.name()));
        var cells = new ArrayList<List<String>>();
        AxisTicks ticks = AxisTicks.of(x.scale(), 1, 2);
        for (long value : values) {
            var row = new ArrayList<>(List.of(ticks.label((double) value)));
            drawn.forEach(curve -> row.add(Table.cell(valueAt(curve, value))));
            cells.add(row);
        }
        report.add(new Table(title + ": " + y.label(), columns, cells));
        report.add(new Chart(id, title, x, y, drawn));
    }

    /** The same value at each setting: a limit. */
    Curve level(String name, double value) {
        return new Curve(name, values.stream().map(x -> new Point(x, value)).toList());
    }

    private List<Point> points(Result result, String curve, ToDoubleFunction<Row> figure) {
        return values.stream()
                .map(value -> new Point(value, result.at(curve, value, figure)))
                .filter(point -> Double.isFinite(point.y()))
                .toList();
    }

    private static double valueAt(Curve curve, long value) {
        return curve.points().stream()
                .filter(point -> point.x() == value)
                .mapToDouble(Point::y)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static String nameOf(String curve, long value) {
        return curve.replace(',', ';') + " @ " + value;
    }
}
