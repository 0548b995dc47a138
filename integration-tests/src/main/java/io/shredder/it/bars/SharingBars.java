// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bench.Peers;
import io.shredder.it.cluster.HdfsShell;
import io.shredder.it.corpus.SourceReleases;
import io.shredder.it.corpus.SourceReleases.Release;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How much of a release the one before it has already, by chunks moved to line ends and by plain ones, against restic's
 * chunker.
 *
 * <p>A share depends on the mean chunk, and the option called average is only near it. Restic's chunker cuts in the
 * runs of zeros that pad a tar's files, so that its mean is a third of ours at the same option. Compared is with the
 * average of restic's that gives the mean nearest to ours; what the same option gives is told beside.
 */
final class SharingBars {
    private static final String NAME = "shared with the release before";
    private static final List<Long> AVERAGES = List.of(8L << 10, 64L << 10);
    private static final int FACTORS = 3;
    private static final double POINTS_ALLOWED = 3;
    private static final double BYTES_PER_KIB = 1 << 10;

    private final Measuring measuring;
    private final HdfsShell shell;

    SharingBars(Measuring measuring, HdfsShell shell) {
        this.measuring = measuring;
        this.shell = shell;
    }

    /** What a later file shares with an earlier one. */
    private record Share(double percent, double meanChunkKib) {
        static Share of(double sharedBytes, double bytes, double chunks) {
            return new Share(100 * sharedBytes / bytes, bytes / chunks / BYTES_PER_KIB);
        }

        /** How far the mean chunk is from another's, as a factor of at least 1. */
        double meanApart(Share other) {
            return Math.max(meanChunkKib / other.meanChunkKib, other.meanChunkKib / meanChunkKib);
        }

        String text() {
            return String.format(Locale.ROOT, "%.1f %% (mean %.0f KiB)", percent, meanChunkKib);
        }
    }

    void measure() throws InterruptedException {
        measuring.attempt(NAME, this::shares);
    }

    private void shares() throws IOException, InterruptedException {
        List<Release> releases =
                SourceReleases.in(UploadBars.cache(measuring), UploadBars.logs(measuring), measuring.children());
        Release earlier = releases.get(0);
        Release later = releases.get(1);
        if (earlier.version().equals(later.version())) {
            measuring.record(Bar.notRun(NAME, "Debian has one release of the JDK's sources only, " + later.version()));
            return;
        }
        Path folder = measuring.root().resolve("target").resolve("bench").resolve("peers");
        Peers peers = Peers.in(folder, measuring.root(), measuring.programs(), measuring.children());
        for (long average : AVERAGES) {
            compare(peers, "text", "text", earlier.text(), later.text(), average);
            compare(peers, "tar", "raw", earlier.tar(), later.tar(), average);
        }
    }

    private void compare(Peers peers, String what, String inputFormat, Path earlier, Path later, long average)
            throws IOException, InterruptedException {
        String name = NAME + ", " + what + ", average " + (average >> 10) + " KiB";
        var restic = new ArrayList<Share>();
        for (int factor = 0; factor < FACTORS; factor++) {
            long theirs = average << factor;
            var row = peers.shared(earlier, later, new Peers.Sizes(theirs, theirs / 4, theirs * 4));
            if (row.isEmpty()) {
                measuring.record(Bar.notRun(name, String.join("; ", peers.missing())));
                return;
            }
            restic.add(share(row.get()));
        }
        Share ours = ours(inputFormat, earlier, later, average);
        Share peer = restic.stream().min(Comparator.comparing(ours::meanApart)).orElseThrow();
        measuring.record(new Bar(
                name,
                ours.text() + "; restic " + peer.text() + ", with the same option "
                        + restic.get(0).text(),
                "restic's less " + (int) POINTS_ALLOWED,
                Bar.Verdict.of(ours.percent() >= peer.percent() - POINTS_ALLOWED)));
    }

    private static Share share(Row row) {
        return Share.of(row.number("sharedBytes"), row.number("bytes"), row.number("chunks"));
    }

    private Share ours(String inputFormat, Path earlier, Path later, long average) throws IOException {
        upload(inputFormat, average, earlier, "/earlier");
        upload(inputFormat, average, later, "/later");
        String[] chunks = shell.run("-chunkDiff", "/earlier", "/later")
                .lines()
                .findFirst()
                .orElse("")
                .split("\t", -1);
        return Share.of(Double.parseDouble(chunks[3]), Double.parseDouble(chunks[4]), Double.parseDouble(chunks[2]));
    }

    private void upload(String inputFormat, long average, Path file, String target) throws IOException {
        shell.run(
                "-copyFromLocalGPU",
                "-f",
                "-inputFormat",
                inputFormat,
                "-avg",
                Long.toString(average),
                file.toString(),
                target);
    }
}
