// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.exact.ProgramJars;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import io.shredder.it.incoop.JobKind.Data;
import io.shredder.it.incoop.JobLab;
import io.shredder.it.incoop.JobLab.Uploaded;
import io.shredder.it.incoop.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What it costs that each chunk's mapper is one that has just been set up. */
final class SetUpBars {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int CHUNKS = 100;
    /** A chunk is longer than it is asked to be, for it ends with a record. */
    private static final long INPUT_BYTES = 160L * CHUNK_BYTES;

    private static final int MILLIS = 500;
    private static final int ROUNDS = 3;
    private static final double MOST = 1.5;

    private final Measuring measuring;

    SetUpBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws IOException, InterruptedException {
        Path work = measuring.root().resolve("target").resolve("bars").resolve("set-up");
        try (var lab = new JobLab(measuring.root(), work, measuring.children(), new JobLab.Settings(CHUNK_BYTES, 1))) {
            lab.start();
            measure(lab);
        }
    }

    private void measure(JobLab lab) throws IOException, InterruptedException {
        Uploaded input = lab.upload(lab.input(Data.TEXT, INPUT_BYTES), "set-up");
        List<Double> plain = new ArrayList<>();
        List<Double> incremental = new ArrayList<>();
        boolean identical = true;
        long chunks = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            Outcome plainly = run(lab, input, round, false);
            Outcome first = run(lab, input, round, true);
            identical &= first.sameOutputAs(plainly);
            chunks = first.work().counter("CHUNKS_COMPUTED");
            plain.add(plainly.seconds());
            incremental.add(first.seconds());
        }
        double ratio = Medians.of(incremental) / Medians.of(plain);
        measuring.record(Bar.holds(
                "set-up of " + MILLIS + " ms, first run over so many chunks",
                identical && chunks >= CHUNKS && ratio <= MOST,
                String.format(
                        Locale.ROOT,
                        "%d: %.2f x plain, %.1f : %.1f s%s",
                        chunks,
                        ratio,
                        Medians.of(incremental),
                        Medians.of(plain),
                        identical ? "" : ", WRONG"),
                "at most " + MOST + " x"));
    }

    private Outcome run(JobLab lab, Uploaded input, int round, boolean incremental)
            throws IOException, InterruptedException {
        Path jar = new ProgramJars(measuring.root().resolve("integration-tests").resolve("target")).acme();
        return lab.run(
                List.of(jar, "net.acme.RunJob", "net.acme.setups.TableInField"),
                "set-up-" + round,
                List.of("-Dnet.acme.millis=" + MILLIS),
                input,
                incremental);
    }
}
