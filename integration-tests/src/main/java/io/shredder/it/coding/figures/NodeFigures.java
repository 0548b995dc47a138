// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.engine.ShredderException;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Medians;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures 9a to 9d: bandwidth of schemes by size of file and number of nodes, {@link FileTransfers} modelled. */
final class NodeFigures {
    private static final List<Integer> NODES = List.of(8, 16, 24, 32);
    private static final long MB = 1_000_000;
    private static final int GROUPS_OF_CODER = 64;
    private static final int GROUPS_TO_WARM_UP = 8;

    private final NodeLinks links;
    private final RealCoding coding;
    private final Report report;
    private final boolean quick;

    NodeFigures(NodeLinks links, RealCoding coding, Report report, boolean quick) {
        this.links = links;
        this.coding = coding;
        this.report = report;
        this.quick = quick;
    }

    /** One of the four figures, by the size of files. */
    enum Figure {
        A("9a", "1 GB", 1000 * MB),
        B("9b", "100 MB", 100 * MB),
        C("9c", "10 MB", 10 * MB),
        D("9d", "1 MB", MB);

        private final String number;
        private final String size;
        private final long bytes;

        Figure(String number, String size, long bytes) {
            this.number = number;
            this.size = size;
            this.bytes = bytes;
        }
    }

    /** What is done with a file. */
    enum Way {
        WRITE("write"),
        READ("read"),
        /** As many data shards of each group are lost as can be. */
        DEGRADED("degraded read");

        private final String word;

        Way(String word) {
            this.word = word;
        }
    }

    /** Adds all tables and plots. */
    void addAll() throws ShredderException {
        report.note(String.format(
                Locale.ROOT,
                "figure 9: the network is a model in this process, coding is real. One client with a link of %.1f Gbit/s"
                        + " writes or reads one file; each node has one of %.1f Gbit/s; %.2f ms one way; %d MiB under way."
                        + " Groups are coded on one core (%s) while others are sent; the client sends copies itself."
                        + " Disks, encryption, digests and other clients are not in it. Medians of %d runs",
                links.clientRate() * 8 / 1e9,
                links.nodeRate() * 8 / 1e9,
                links.latency() * 1e3,
                links.windowBytes() >> 20,
                coding.form(),
                rounds()));
        addCoder();
        for (Figure figure : Figure.values()) {
            if (!quick || figure != Figure.A) {
                add(figure);
            }
        }
        report.note("figure 9: a dash where a group has more shards than there are nodes"
                + (quick ? "; 9a (files of 1 GB) is left out by --quick" : ""));
    }

    private int rounds() {
        return quick ? 1 : 3;
    }

    /** What the coder does alone, on cells of 1 MiB; also warms it up. */
    private void addCoder() throws ShredderException {
        List<List<String>> rows = new ArrayList<>();
        for (Scheme scheme : Scheme.TABLE_3) {
            if (!scheme.replicates()) {
                rows.add(List.of(
                        scheme.title(),
                        Table.cell(coderRate(scheme, 0)),
                        Table.cell(coderRate(scheme, scheme.mostLostData()))));
            }
        }
        report.add(new Table(
                "The coder of figure 9 alone: GB/s of data, one core, cells of 1 MiB out of 128 MiB",
                List.of("scheme", "encode", "decode all lost data"),
                rows));
    }

    private double coderRate(Scheme scheme, int lost) throws ShredderException {
        double seconds = 0;
        for (int group = -GROUPS_TO_WARM_UP; group < GROUPS_OF_CODER; group++) {
            double taken = lost == 0
                    ? coding.encode(scheme, FileTransfers.CELL_BYTES)
                    : coding.decode(scheme, FileTransfers.CELL_BYTES, lost);
            seconds += group < 0 ? 0 : taken;
        }
        return (double) GROUPS_OF_CODER * scheme.data() * FileTransfers.CELL_BYTES / seconds / 1e9;
    }

    private void add(Figure figure) throws ShredderException {
        System.out.println("  figure " + figure.number + ": files of " + figure.size);
        var columns = new ArrayList<>(List.of("MB/s"));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        Scheme.TABLE_3.forEach(scheme -> rows.put(scheme.title(), new ArrayList<>(List.of(scheme.title()))));
        for (Way way : Way.values()) {
            NODES.forEach(nodes -> columns.add((nodes.equals(NODES.get(0)) ? way.word + ", " : "") + nodes));
            List<Curve> curves = new ArrayList<>();
            for (Scheme scheme : Scheme.TABLE_3) {
                List<Point> points = new ArrayList<>();
                for (int nodes : NODES) {
                    double rate = rate(new FileTransfers(links.with(nodes), coding), scheme, figure, way);
                    rows.getOrDefault(scheme.title(), new ArrayList<>()).add(Table.cell(rate));
                    if (!Double.isNaN(rate)) {
                        points.add(new Point(nodes, rate));
                    }
                }
                curves.add(new Curve(scheme.title(), points));
            }
            report.add(new Chart(
                    "istore-" + figure.number + "-" + way.word.replace(' ', '-'),
                    "IStore, figure " + figure.number + ": " + way.word + ", files of " + figure.size,
                    new Axis("nodes", Scale.LINEAR),
                    new Axis("MB/s", Scale.LINEAR),
                    curves));
        }
        report.add(new Table(
                "IStore, figure " + figure.number + ": files of " + figure.size + " by number of nodes, MB/s",
                columns,
                List.copyOf(rows.values())));
    }

    /** The median in MB/s; NaN where there are too few nodes. */
    private double rate(FileTransfers transfers, Scheme scheme, Figure figure, Way way) throws ShredderException {
        if (!transfers.canHold(scheme)) {
            return Double.NaN;
        }
        List<Double> rates = new ArrayList<>();
        for (int round = 0; round < rounds(); round++) {
            double seconds =
                    switch (way) {
                        case WRITE -> transfers.write(scheme, figure.bytes);
                        case READ -> transfers.read(scheme, figure.bytes, 0);
                        case DEGRADED -> transfers.read(scheme, figure.bytes, scheme.mostLostData());
                    };
            rates.add(figure.bytes / seconds / MB);
        }
        return Medians.of(rates);
    }
}
