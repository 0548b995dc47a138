// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.cluster.HdfsShell;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.TextCorpus;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;

/**
 * {@code -copyFromLocalGPU} on a NameNode and three DataNodes of this machine: how fast it is beside
 * {@code -copyFromLocal}, and what two releases share by its chunks beside what they share by restic's.
 */
final class UploadBars {
    private static final String RATE = "upload, 2 GB of text";
    private static final int COPIES = 9;
    private static final int ROUNDS = 5;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Measuring measuring;

    UploadBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws IOException, InterruptedException {
        Path work = measuring.root().resolve("target").resolve("bars").resolve("upload-cluster");
        Folders.delete(work);
        try (var cluster = HadoopCluster.started(work, HadoopCluster.Shape.HDFS)) {
            var shell = new HdfsShell(cluster.clientConfiguration());
            measuring.attempt(RATE, () -> rate(shell));
            new SharingBars(measuring, shell).measure();
        } finally {
            Folders.delete(work);
        }
    }

    /** Both in turn, so that what else the machine does falls on both; the first round of each warms up. */
    private void rate(HdfsShell shell) throws IOException, InterruptedException {
        Path file = largeText();
        double megabytes = Files.size(file) / BYTES_PER_MEGABYTE;
        var plain = new ArrayList<Double>();
        var ours = new ArrayList<Double>();
        var ratios = new ArrayList<Double>();
        for (int round = 0; round <= ROUNDS; round++) {
            double plainSeconds = seconds(shell, "-copyFromLocal", "-f", file.toString(), "/plain");
            double ourSeconds = seconds(shell, "-copyFromLocalGPU", "-f", file.toString(), "/segmented");
            if (round > 0) {
                plain.add(megabytes / plainSeconds);
                ours.add(megabytes / ourSeconds);
                ratios.add(plainSeconds / ourSeconds);
            }
        }
        measuring.record(Bar.atLeastTimes(
                RATE,
                Medians.of(ratios),
                0.8,
                String.format(Locale.ROOT, "-copyFromLocal, %.0f : %.0f MB/s", Medians.of(ours), Medians.of(plain))));
        shell.run("-rm", "-skipTrash", "/plain", "/segmented");
    }

    private static double seconds(HdfsShell shell, String... words) throws IOException {
        long startNanos = System.nanoTime();
        shell.run(words);
        return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    }

    /** The text corpus so often that there are 2 GB; how much of it repeats makes no difference to an upload. */
    private Path largeText() throws IOException, InterruptedException {
        Path text = TextCorpus.in(cache(measuring), logs(measuring), measuring.children());
        Path folder = Files.createDirectories(
                measuring.root().resolve("target").resolve("bench").resolve("inputs"));
        Path large = folder.resolve("text-2g");
        if (!Files.exists(large) || Files.size(large) != COPIES * Files.size(text)) {
            try (OutputStream out = Files.newOutputStream(large)) {
                for (int i = 0; i < COPIES; i++) {
                    Files.copy(text, out);
                }
            }
        }
        return large;
    }

    /** Where downloads and what is made of them stay; the demo's, too. */
    static Path cache(Measuring measuring) throws IOException {
        return Files.createDirectories(measuring.root().resolve(".tools").resolve("demo-cache"));
    }

    static Path logs(Measuring measuring) throws IOException {
        return Files.createDirectories(measuring.root().resolve("target").resolve("bars"));
    }
}
