// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.it.coding.CoderPeers;
import io.shredder.it.coding.CoderRounds;
import io.shredder.it.coding.CoderRounds.Turn;
import io.shredder.it.coding.HadoopCoders;
import io.shredder.it.coding.RateCase;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Figures 8a and 8b: rates by the number of parity shards, ours and other people's in turn, on cells of 1 MiB. */
final class ParityFigures {
    private static final int CELL_BYTES = 1 << 20;
    private static final int MOST_SHARDS = 256;
    private static final int MOST_PARITY = 128;
    private static final int MOST_PARITY_QUICKLY = 32;
    private static final int MOST_PARITY_IN_JAVA = 32;
    private static final int MOST_PARITY_IN_JAVA_QUICKLY = 8;
    private static final List<String> PEERS =
            List.of("isal", "klauspost-cauchy", "leopard", "jerasure-rs-van", "rust-simd", "rust-erasure");
    private static final String RESIDENT = "GPU, in its memory";
    private static final String LINK = "GPU, over its link";

    private final CoderPeers peers;
    private final Report report;
    private final List<Row> gpuRows;
    private final boolean quick;

    /** @param gpuRows of {@code shredder_coding_gpu}; none without a GPU */
    ParityFigures(CoderPeers peers, Report report, List<Row> gpuRows, boolean quick) {
        this.peers = peers;
        this.report = report;
        this.gpuRows = gpuRows;
        this.quick = quick;
    }

    /** One of the two figures, by the efficiency that all its shapes have. */
    enum Figure {
        A("8a", "33 %"),
        B("8b", "75 %");

        private final String number;
        private final String efficiency;

        Figure(String number, String efficiency) {
            this.number = number;
            this.efficiency = efficiency;
        }

        int data(int parity) {
            return this == A ? parity / 2 : 3 * parity;
        }

        /** Whether GF(2^8) has so many shards. */
        boolean possible(int parity) {
            return data(parity) + parity <= MOST_SHARDS;
        }
    }

    /** Measures a figure and adds its table and plot. */
    void addTo(Figure figure) throws IOException {
        Map<String, Map<Integer, Double>> rates = new LinkedHashMap<>();
        List<Integer> parities = new ArrayList<>();
        for (int parity = 2; parity <= (quick ? MOST_PARITY_QUICKLY : MOST_PARITY); parity *= 2) {
            parities.add(parity);
            if (figure.possible(parity)) {
                measure(figure, parity, rates);
            }
        }
        String title = "IStore, figure " + figure.number + ": rates at an efficiency of " + figure.efficiency;
        add(figure, title, parities, rates);
        List<Curve> curves = new ArrayList<>();
        rates.forEach((name, byParity) -> curves.add(new Curve(
                name,
                byParity.entrySet().stream()
                        .map(entry -> new Point(entry.getKey(), entry.getValue()))
                        .toList())));
        report.add(new Chart(
                "istore-" + figure.number,
                title,
                new Axis("parity shards, m", Scale.LOGARITHMIC),
                new Axis("GB/s of data", Scale.LOGARITHMIC),
                curves));
    }

    private void measure(Figure figure, int parity, Map<String, Map<Integer, Double>> rates) throws IOException {
        int data = figure.data(parity);
        System.out.println("  figure " + figure.number + ": (" + data + "," + parity + ")");
        RateCase asked = RateCase.hot(data, parity, CELL_BYTES, "staggered");
        List<String> forms = peers.forms();
        List<Turn> turns = new ArrayList<>();
        if (!forms.isEmpty()) {
            String best = forms.get(forms.size() - 1);
            turns.add(new Turn("ours, encode", best, asked));
            turns.add(new Turn("ours, decode", best + ":decode", asked));
            turns.add(new Turn("ours, by matrix", best + ":matrix", asked));
            turns.add(new Turn("ours, all cores", best + ":threads", asked));
        }
        PEERS.forEach(peer -> turns.add(new Turn(peer, asked)));
        CoderRounds rounds = CoderRounds.of(peers, quick ? 1 : 3, turns);
        turns.forEach(turn -> keep(rates, turn.label(), parity, rounds.rate(turn.label())));
        if (parity <= mostParityInJava()) {
            var java = new Turn(HadoopCoders.RS_JAVA, asked);
            keep(
                    rates,
                    java.label(),
                    parity,
                    CoderRounds.of(peers, 1, List.of(java)).rate(java.label()));
        }
        keep(rates, RESIDENT, parity, gpuRate("coding-resident", data, parity));
        keep(rates, LINK, parity, gpuRate("coding-link", data, parity));
    }

    private int mostParityInJava() {
        return quick ? MOST_PARITY_IN_JAVA_QUICKLY : MOST_PARITY_IN_JAVA;
    }

    private Optional<Double> gpuRate(String what, int data, int parity) {
        String name = what + "/" + data + "+" + parity;
        return gpuRows.stream()
                .filter(row -> row.name().equals(name) && row.error().isEmpty())
                .map(Row::rate)
                .findFirst();
    }

    private static void keep(Map<String, Map<Integer, Double>> rates, String name, int parity, Optional<Double> rate) {
        rate.ifPresent(value ->
                rates.computeIfAbsent(name, any -> new LinkedHashMap<>()).put(parity, value));
    }

    private void add(Figure figure, String title, List<Integer> parities, Map<String, Map<Integer, Double>> rates) {
        var columns = new ArrayList<>(List.of("GB/s of data"));
        for (int parity : parities) {
            columns.add(figure.data(parity) + ":" + parity);
        }
        List<List<String>> rows = new ArrayList<>();
        rates.forEach((name, byParity) -> {
            var row = new ArrayList<>(List.of(name));
            parities.forEach(parity -> row.add(Table.cell(byParity.getOrDefault(parity, Double.NaN))));
            rows.add(row);
        });
        report.add(new Table(title, columns, rows));
        report.note("figure 8: on one core by its CPU time, all cores by the clock; decoding gives back all data shards"
                + " that can be lost at once; " + HadoopCoders.RS_JAVA + " isn't asked beyond " + mostParityInJava()
                + " parity shards, where one stripe takes it seconds");
        if (!gpuRows.isEmpty()) {
            int shapes = rates.getOrDefault(RESIDENT, Map.of()).size();
            report.note("figure " + figure.number + ": the GPU's program measures " + (shapes == 0 ? "none" : shapes)
                    + " of these shapes");
        }
        parities.stream()
                .filter(parity -> !figure.possible(parity))
                .findFirst()
                .ifPresent(parity -> report.note("figure " + figure.number + " ends before " + figure.data(parity) + ":"
                        + parity + ": GF(2^8) has 256 elements, so a code has 256 shards at most"));
    }
}
