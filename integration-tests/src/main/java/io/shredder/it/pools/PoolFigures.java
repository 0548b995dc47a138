// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.pools;

import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** CROCUS's figures 14 to 18 (TPDS 2020), by simulation, and its policy beside others. For one thread. */
final class PoolFigures {
    private static final List<String> POLICIES = List.of(
            "static",
            "round-robin",
            "shortest-queue",
            "lafs",
            "least-work",
            "two-choices",
            "join-idle-queue",
            "pull",
            "sparrow");
    private static final List<String> SHOWN = List.of("static", "lafs", "least-work", "two-choices");
    private static final int FEW = 7;
    private static final int MANY = 700;
    private static final double USUAL_LOAD = 0.8;
    private static final double GPU_TAKEN = 0.8;
    private static final int CLIENTS = 5;
    /** Of all capacity: what five clients write. */
    private static final double ALL_CLIENTS_LOAD = 0.95;

    private final NativePrograms programs;
    private final Report report;
    private final boolean quick;

    PoolFigures(NativePrograms programs, Report report, boolean quick) {
        this.programs = programs;
        this.report = report;
        this.quick = quick;
    }

    void make() throws IOException, InterruptedException {
        policies();
        clients();
        loads();
        news();
        bursts("figure-17a", "both GPUs taken for 5 s in every 40", "no");
        bursts("figure-17b", "one GPU taken for 5 s in every 40, in turn", "yes");
        latency();
    }

    /** Every policy on few and on many nodes, and with GPUs that others take at times. */
    private void policies() throws IOException, InterruptedException {
        List<ProgramRow> rows = new ArrayList<>();
        for (String policy : POLICIES) {
            rows.add(PoolRows.of(policy, FEW).with("seconds", 60));
            rows.add(PoolRows.of(policy, MANY).with("seconds", quick ? 15 : 60));
            rows.add(bursting(PoolRows.of(policy, FEW)).with("name", policy + " with bursts"));
        }
        List<Row> made = simulate("policies", rows);
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < POLICIES.size(); i++) {
            List<String> line = new ArrayList<>(List.of(POLICIES.get(i)));
            made.subList(3 * i, 3 * i + 3).forEach(row -> line.add(servedAndWait(row)));
            cells.add(line);
        }
        report.add(new Table(
                "80 % load: part served / 99th percentile of the wait; lafs hears news every 5 s",
                List.of("policy", "7 nodes", "700 nodes", "7 nodes, GPUs 80 % taken 5 s in every 40"), cells));
    }

    private static String servedAndWait(Row row) {
        return String.format(Locale.ROOT, "%.1f %% / %.2f s", 100 * row.number("served"), row.number("waitP99"));
    }

    private static ProgramRow bursting(ProgramRow row) {
        return row.with("seconds", 120).with("burst-share", GPU_TAKEN);
    }

    /** Figure 14: all to the GPUs, or by load. */
    private void clients() throws IOException, InterruptedException {
        List<Double> loads = new ArrayList<>();
        for (int clients = 1; clients <= CLIENTS; clients++) {
            loads.add(ALL_CLIENTS_LOAD * clients / CLIENTS);
        }
        List<Curve> curves = new ArrayList<>();
        List<List<String>> cells = new ArrayList<>();
        for (String policy : SHOWN) {
            List<Row> made = sweep("figure-14-" + policy, PoolRows.of(policy, FEW), loads);
            List<Point> points = new ArrayList<>();
            List<String> line = new ArrayList<>(List.of(policy));
            for (int i = 0; i < made.size(); i++) {
                points.add(new Point(i + 1, made.get(i).number("rate")));
                line.add(Table.cell(made.get(i).number("rate")));
            }
            curves.add(new Curve(policy, points));
            cells.add(line);
        }
        report.add(new Table(
                "Figure 14: GB/s fingerprinted on 7 nodes, two with a GPU",
                List.of("policy", "1 client", "2", "3", "4", "5"),
                cells));
        report.add(new Chart(
                "figure-14",
                "CROCUS figure 14: what is fingerprinted",
                new Axis("clients", Scale.LINEAR),
                new Axis("GB/s", Scale.LINEAR),
                curves));
    }

    /** Figure 15: few writers, many, and many while others use the GPUs. */
    private void loads() throws IOException, InterruptedException {
        List<List<String>> cells = new ArrayList<>();
        for (String policy : SHOWN) {
            ProgramRow row = PoolRows.of(policy, FEW);
            ProgramRow taken = row.with("burst-share", GPU_TAKEN).with("burst-seconds", 40);
            List<Row> made = simulate(
                    "figure-15-" + policy,
                    List.of(row.with("load", 0.25), row.with("load", 0.6), taken.with("load", 0.6)));
            List<String> line = new ArrayList<>(List.of(policy));
            made.forEach(one ->
                    line.add(String.format(Locale.ROOT, "%.2f of %.2f", one.number("rate"), one.number("offered"))));
            cells.add(line);
        }
        report.add(new Table(
                "Figure 15: GB/s fingerprinted of those written",
                List.of("policy", "few writers", "many", "many, and others have 80 % of the GPUs"),
                cells));
    }

    /** Figure 16: how often to tell, if telling costs something. */
    private void news() throws IOException, InterruptedException {
        List<Double> costs = List.of(0.0, 0.05, 0.1);
        List<Integer> periods = List.of(1, 2, 3, 5, 7, 10, 15);
        List<Curve> curves = new ArrayList<>();
        List<List<String>> cells = new ArrayList<>();
        for (double cost : costs) {
            List<ProgramRow> rows = new ArrayList<>();
            for (int period : periods) {
                rows.add(PoolRows.of("lafs", FEW)
                        .with("news", period)
                        .with("news-cost", cost)
                        .with("seconds", 120));
            }
            List<Row> made = simulate("figure-16", rows);
            String name = Math.round(1000 * cost) + " ms";
            List<Point> points = new ArrayList<>();
            List<String> line = new ArrayList<>(List.of(name));
            for (int i = 0; i < made.size(); i++) {
                points.add(new Point(periods.get(i), 100 * made.get(i).number("served")));
                line.add(servedAndWait(made.get(i)));
            }
            curves.add(new Curve(name + " to take in another's news", points));
            cells.add(line);
        }
        List<String> columns = new ArrayList<>(List.of("a CPU's cost of each node's news"));
        periods.forEach(period -> columns.add("every " + period + " s"));
        report.add(new Table("Figure 16: LAFS by how often nodes tell their intake, 80 % load", columns, cells));
        report.add(new Chart(
                "figure-16",
                "CROCUS figure 16: part served by the period of news",
                new Axis("seconds between two broadcasts", Scale.LINEAR),
                new Axis("% served", Scale.LINEAR),
                curves));
    }

    /** Figures 17a and 17b: what the nodes tell while others use the GPUs. */
    private void bursts(String id, String what, String inTurn) throws IOException, InterruptedException {
        ProgramRow row = bursting(PoolRows.of("lafs", FEW))
                .with("load", 0.6)
                .with("bursts-in-turn", inTurn)
                .with("burst-gpus", 2)
                .with("news", 1)
                .with("series", "yes");
        List<Row> made = simulate(id, List.of(row));
        List<Curve> curves = new ArrayList<>();
        for (Row series : made) {
            boolean shown = series.name().endsWith("/gpu:0")
                    || series.name().endsWith("/gpu:1")
                    || series.name().endsWith("/cpu:3");
            List<Point> points = new ArrayList<>();
            for (int i = 0; shown && i < series.json().path("intakes").size(); i++) {
                points.add(new Point(i, series.json().path("intakes").get(i).asDouble()));
            }
            curves.add(new Curve(series.name().replaceFirst(".*/", ""), points));
        }
        report.add(new Chart(
                id,
                "CROCUS " + id.replace('-', ' ') + ": batches that nodes admit, " + what,
                new Axis("seconds", Scale.LINEAR),
                new Axis("batches of 20 MB in a second", Scale.LINEAR),
                curves));
    }

    /** Figure 18: what a batch waits for the bandwidth that is gained. */
    private void latency() throws IOException, InterruptedException {
        List<Double> loads = List.of(0.1, 0.3, 0.5, 0.6, 0.7, USUAL_LOAD, 0.9, ALL_CLIENTS_LOAD);
        ToDoubleFunction<Row> milliseconds = row -> 1000 * row.number("latencyMean");
        List<Curve> curves = new ArrayList<>();
        List<List<String>> cells = new ArrayList<>();
        for (String policy : SHOWN) {
            List<Row> made = sweep("figure-18-" + policy, PoolRows.of(policy, FEW), loads);
            List<String> line = new ArrayList<>(List.of(policy));
            List<Point> points = new ArrayList<>();
            for (Row row : made) {
                points.add(new Point(row.number("rate"), milliseconds.applyAsDouble(row)));
                line.add(
                        String.format(Locale.ROOT, "%.2f / %.0f", row.number("rate"), milliseconds.applyAsDouble(row)));
            }
            curves.add(new Curve(policy, points));
            cells.add(line);
        }
        List<String> columns = new ArrayList<>(List.of("policy"));
        loads.forEach(load -> columns.add(Math.round(100 * load) + " %"));
        report.add(new Table("Figure 18: GB/s / mean milliseconds from coming to end, by load", columns, cells));
        report.add(new Chart(
                "figure-18",
                "CROCUS figure 18: latency by bandwidth",
                new Axis("GB/s", Scale.LINEAR),
                new Axis("mean latency, ms", Scale.LOGARITHMIC),
                curves));
    }

    private List<Row> sweep(String part, ProgramRow row, List<Double> loads) throws IOException, InterruptedException {
        return simulate(part, loads.stream().map(load -> row.with("load", load)).toList());
    }

    /** In the rows' order. */
    private List<Row> simulate(String part, List<ProgramRow> rows) throws IOException, InterruptedException {
        List<Row> made = programs.run(
                        part,
                        Map.of(),
                        "shredder_pools",
                        rows.stream().map(ProgramRow::word).toList())
                .rows();
        report.keep(part, made);
        for (Row row : made) {
            if (row.error().isPresent()) {
                throw new IOException(
                        part + ", " + row.name() + ": " + row.error().get());
            }
        }
        return made;
    }
}
