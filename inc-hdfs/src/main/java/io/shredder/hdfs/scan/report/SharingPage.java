// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import io.shredder.hdfs.scan.report.SharingReport.Amount;
import io.shredder.hdfs.scan.report.SharingReport.Pair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/** A report as one page of HTML, which needs nothing else. */
public final class SharingPage {

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>What is shared</title><style>
            body { font: 14px sans-serif; margin: 2em; color: #222 }
            svg { font: 12px sans-serif; display: block } .name { text-anchor: end }
            .whole { fill: #c6d6e8 } .part { fill: #2c5f93 }
            </style></head><body>
            """;
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final double STEP = 1024;

    private final SharingReport report;

    /** Writes nothing yet. */
    public SharingPage(SharingReport report) {
        this.report = report;
    }

    /** Replaces the file, in one step. */
    public void write(Path file) throws IOException {
        Path whole = file.toAbsolutePath();
        Path partial = whole.resolveSibling(whole.getFileName() + ".partial");
        Files.writeString(partial, html(), StandardCharsets.UTF_8);
        Files.move(partial, whole, StandardCopyOption.REPLACE_EXISTING);
    }

    String html() {
        Amount all = report.all();
        StringBuilder html = new StringBuilder(HEAD);
        html.append("<h1>What is shared</h1>\n<p>")
                .append(BarPlot.escaped(size(all.bytes()) + ", of which " + size(all.different())
                        + " are different: deduplication saves " + percent(all.savedPercent()) + "."
                        + (report.samplePercent() < SharingReport.PERCENT
                                ? " Estimated by a sample of " + report.samplePercent() + " % of the chunks."
                                : "")))
                .append("</p>\n<p>Dark is what is different, light what repeats.</p>\n");
        html.append(section("Folders", amounts(report.folders())));
        html.append(section("Pairs of folders, and what both have", pairs()));
        html.append(section("Chunks by length", amounts(report.chunkLengths())));
        html.append(section("Other average lengths", amounts(report.averages())));
        report.failures().forEach((file, why) -> html.append("<p>Not read: ")
                .append(BarPlot.escaped(file + ": " + why))
                .append("</p>\n"));
        return html.append("</body></html>\n").toString();
    }

    private static String section(String title, String plot) {
        return plot.isEmpty() ? "" : "<h2>" + BarPlot.escaped(title) + "</h2>\n" + plot;
    }

    private static String amounts(List<Amount> amounts) {
        if (amounts.isEmpty()) {
            return "";
        }
        BarPlot plot =
                new BarPlot(amounts.stream().mapToLong(Amount::bytes).max().orElse(0));
        for (Amount amount : amounts) {
            plot.add(
                    amount.name(),
                    amount.bytes(),
                    amount.different(),
                    size(amount.bytes()) + ", " + percent(amount.savedPercent()) + " saved");
        }
        return plot.svg();
    }

    private String pairs() {
        List<Pair> pairs = report.pairs();
        if (pairs.isEmpty()) {
            return "";
        }
        BarPlot plot = new BarPlot(pairs.get(0).bytes());
        for (Pair pair : pairs) {
            plot.add(
                    pair.one() + " and " + pair.other(),
                    pair.bytes(),
                    pair.bytes(),
                    size(pair.bytes()) + ", " + percent(pair.percentOfSmaller()) + " of the smaller");
        }
        return plot.svg();
    }

    private static String percent(double percent) {
        return String.format(Locale.ROOT, "%.1f %%", percent);
    }

    private static String size(long bytes) {
        int unit = 0;
        double size = (double) bytes;
        while (size >= STEP && unit + 1 < UNITS.length) {
            size /= STEP;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", size, UNITS[unit]);
    }
}
