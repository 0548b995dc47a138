// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.hdfs.scan.plan.ScanFindings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/**
 * Says what groups of files share.
 *
 * @param estimate for the average length that was asked for
 * @param groups their names, in the order of their numbers
 * @param samplePercent how much of all chunks was asked for
 * @param averages the same for other average lengths of chunks
 * @param failures files that could not be read, and why
 */
public record SharingReport(
        SharingEstimate estimate,
        List<String> groups,
        double samplePercent,
        List<Amount> averages,
        Map<Path, String> failures)
        implements ScanFindings {

    static final int MOST_PAIRS = 10;
    static final double PERCENT = 100;

    public SharingReport {
        groups = List.copyOf(groups);
        averages = List.copyOf(averages);
    }

    /**
     * How much there is of something.
     *
     * @param name of what, such as a folder
     * @param number that stands in the name, else 0
     * @param bytes of all chunks
     * @param different of those that are different
     */
    public record Amount(String name, long number, long bytes, long different) {

        double savedPercent() {
            return bytes == 0 ? 0 : PERCENT * (bytes - different) / bytes;
        }
    }

    /** Two groups, and the bytes of different chunks that both have. */
    record Pair(String one, String other, long bytes, double percentOfSmaller) {}

    /** What files would take if they were cut to such chunks. */
    public static Amount ofAverage(long averageBytes, SharingEstimate estimate) {
        return new Amount(
                "average of " + averageBytes + " bytes", averageBytes, estimate.bytes(), estimate.different());
    }

    Amount all() {
        return new Amount("all", 0, estimate.bytes(), estimate.different());
    }

    List<Amount> folders() {
        List<Amount> folders = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            folders.add(new Amount(groups.get(group), 0, estimate.bytes(group), estimate.different(group)));
        }
        return folders;
    }

    List<Amount> chunkLengths() {
        List<Amount> lengths = new ArrayList<>();
        for (int size = 0; size < Sharing.CLASSES; size++) {
            if (estimate.bytesOfSize(size) > 0) {
                lengths.add(new Amount(
                        "chunks from " + (1L << size) + " bytes",
                        1L << size,
                        estimate.bytesOfSize(size),
                        estimate.differentOfSize(size)));
            }
        }
        return lengths;
    }

    /** Those with most in common. */
    List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int one = 0; one < groups.size(); one++) {
            for (int other = one + 1; other < groups.size(); other++) {
                long bytes = estimate.shared(one, other);
                if (bytes > 0) {
                    long smaller = Math.min(estimate.different(one), estimate.different(other));
                    pairs.add(new Pair(groups.get(one), groups.get(other), bytes, PERCENT * bytes / smaller));
                }
            }
        }
        pairs.sort(Comparator.comparingLong(Pair::bytes).reversed());
        return pairs.subList(0, Math.min(MOST_PAIRS, pairs.size()));
    }

    @Override
    public boolean failed() {
        return !failures.isEmpty();
    }

    /** As lines with fields separated by tabs. */
    @Override
    public void print(PrintStream out, PrintStream err) {
        failures.forEach((file, why) -> err.println("scan: " + file + ": " + why));
        line(out, "", all());
        folders().forEach(folder -> line(out, "in ", folder));
        for (Pair pair : pairs()) {
            out.printf(
                    Locale.ROOT,
                    "both %s and %s\t%d bytes\t%.1f %% of the smaller%n",
                    pair.one(),
                    pair.other(),
                    pair.bytes(),
                    pair.percentOfSmaller());
        }
        chunkLengths().forEach(length -> line(out, "", length));
        averages.forEach(average -> line(out, "", average));
    }

    private static void line(PrintStream out, String before, Amount amount) {
        out.printf(
                Locale.ROOT,
                "%s%s\t%d bytes\t%d different\t%.1f %% saved%n",
                before,
                amount.name(),
                amount.bytes(),
                amount.different(),
                amount.savedPercent());
    }

    @Override
    public void addTo(ObjectNode document) {
        document.put("samplePercent", samplePercent);
        put(document.putObject("all"), all());
        ArrayNode inFolders = document.putArray("folders");
        folders().forEach(folder -> put(inFolders.addObject().put("path", folder.name()), folder));
        ArrayNode inBoth = document.putArray("pairs");
        for (Pair pair : pairs()) {
            inBoth.addObject()
                    .put("one", pair.one())
                    .put("other", pair.other())
                    .put("bytes", pair.bytes())
                    .put("percentOfSmaller", pair.percentOfSmaller());
        }
        ArrayNode byLength = document.putArray("chunkLengths");
        chunkLengths().forEach(length -> put(byLength.addObject().put("fromBytes", length.number()), length));
        ArrayNode byAverage = document.putArray("averages");
        averages.forEach(average -> put(byAverage.addObject().put("averageBytes", average.number()), average));
        ArrayNode failed = document.putArray("failures");
        failures.forEach(
                (file, why) -> failed.addObject().put("path", file.toString()).put("reason", why));
    }

    private static void put(ObjectNode node, Amount amount) {
        node.put("bytes", amount.bytes());
        node.put("different", amount.different());
        node.put("savedPercent", amount.savedPercent());
    }
}
