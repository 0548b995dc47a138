// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import io.shredder.it.incoop.JobKind;
import io.shredder.it.incoop.JobKind.Data;
import io.shredder.it.incoop.JobLab;
import io.shredder.it.incoop.JobLab.Uploaded;
import io.shredder.it.incoop.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;

/** What blocks that end where chunks end, made by {@code -copyFromLocalGPU}, cost a plain job. */
final class PlainJobBars {
    private static final long INPUT_BYTES = 512L << 20;
    private static final int ROUNDS = 4;
    private static final double MOST_PERCENT_MORE = 5;

    private final Measuring measuring;

    PlainJobBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws IOException, InterruptedException {
        Path work = measuring.root().resolve("target").resolve("bars").resolve("plain-over-uploads");
        try (var lab = new JobLab(measuring.root(), work, measuring.children(), new JobLab.Settings(1 << 20, 2))) {
            lab.start();
            Path text = lab.input(Data.TEXT, INPUT_BYTES);
            measure(lab, lab.copy(text, "ordinary"), lab.uploadByDefault(text, "uploaded"));
        }
    }

    /** Both in turn, first the one and then the other, so that what else the machine does falls on both. */
    private void measure(JobLab lab, Uploaded ordinary, Uploaded uploaded) throws IOException, InterruptedException {
        Outcome overUpload = lab.run(JobKind.WORD_COUNT, uploaded, false);
        Outcome overOrdinary = lab.run(JobKind.WORD_COUNT, ordinary, false);
        count(overUpload, overOrdinary);
        var uploadedSeconds = new ArrayList<Double>();
        var ordinarySeconds = new ArrayList<Double>();
        var ratios = new ArrayList<Double>();
        for (int round = 0; round < ROUNDS; round++) {
            boolean uploadFirst = round % 2 == 0;
            double one = lab.run(JobKind.WORD_COUNT, uploadFirst ? uploaded : ordinary, false)
                    .seconds();
            double other = lab.run(JobKind.WORD_COUNT, uploadFirst ? ordinary : uploaded, false)
                    .seconds();
            uploadedSeconds.add(uploadFirst ? one : other);
            ordinarySeconds.add(uploadFirst ? other : one);
            ratios.add(uploadedSeconds.get(round) / ordinarySeconds.get(round));
        }
        measuring.record(Bar.atMost(
                "plain word count over an upload: more time",
                100 * (Medians.of(ratios) - 1),
                MOST_PERCENT_MORE,
                " %",
                String.format(
                        Locale.ROOT,
                        "%.1f : %.1f s over an ordinary file",
                        Medians.of(uploadedSeconds),
                        Medians.of(ordinarySeconds))));
        locality(lab.localPercent(uploaded), lab.localPercent(ordinary));
    }

    /** What a pair of runs that isn't timed gives: it warms up. */
    private void count(Outcome overUpload, Outcome overOrdinary) {
        long maps = overUpload.work().mapTasks();
        long ordinaryMaps = overOrdinary.work().mapTasks();
        boolean identical = overUpload.sameOutputAs(overOrdinary);
        measuring.record(Bar.holds(
                "plain word count over an upload: maps",
                identical && Math.abs(maps - ordinaryMaps) <= 1,
                maps + "; of an ordinary file " + ordinaryMaps + (identical ? "" : ", OTHER PART FILES"),
                "as many +- 1, same part files"));
    }

    private void locality(double uploaded, double ordinary) {
        measuring.record(Bar.atLeast(
                "plain word count over an upload: bytes in the block of their split's hosts",
                uploaded,
                ordinary - MOST_PERCENT_MORE,
                " %",
                String.format(Locale.ROOT, "of an ordinary file %.1f %%", ordinary)));
    }
}
