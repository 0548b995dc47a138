// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.corpus.LargeText;
import io.shredder.it.figures.Bar;
import io.shredder.it.incoop.Comparison;
import io.shredder.it.incoop.JobKind;
import io.shredder.it.incoop.JobKind.Data;
import io.shredder.it.incoop.JobLab;
import io.shredder.it.incoop.JobLab.Uploaded;
import io.shredder.it.incoop.Outcome;
import io.shredder.it.incoop.Version;
import io.shredder.it.incoop.Version.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is read, computed and waited for when a job runs again on a text of which little has changed. */
final class JobBars {
    private static final String EQUALITY = "part files, incremental against plain";
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int REDUCERS = 2;
    private static final Version FIRST = new Version(0, Style.MIXED, 0);
    private static final Version ONE_PLACE = new Version(1, Style.REWRITE, 1);
    private static final Version HUNDRED_PLACES = new Version(1, Style.MIXED, 100);
    /** A few hundred bytes of the bars' text. */
    private static final Version ONE_LINE = new Version(0.00002, Style.REWRITE, 1);

    private final Measuring measuring;
    private final List<Comparison> comparisons = new ArrayList<>();

    JobBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws IOException, InterruptedException {
        if (measuring.inputBytes() < LargeText.MOST_BYTES) {
            System.out.println("a trial on " + measuring.inputBytes() + " bytes: the bars are for "
                    + LargeText.MOST_BYTES + ", where containers' start-up weighs less");
        }
        Path work = measuring.root().resolve("target").resolve("bars").resolve("incoop");
        try (var lab =
                new JobLab(measuring.root(), work, measuring.children(), new JobLab.Settings(CHUNK_BYTES, REDUCERS))) {
            lab.start();
            measuring.attempt("jobs on a changed text", () -> measure(lab));
        }
    }

    private void measure(JobLab lab) throws IOException, InterruptedException {
        Path text = lab.input(Data.TEXT, measuring.inputBytes());
        Uploaded first = lab.upload(text, FIRST.title());
        Comparison cold = compare(lab, JobKind.WORD_COUNT, FIRST, first);
        firstRun(cold, lab.memoBytes(JobKind.WORD_COUNT));
        Outcome again = lab.run(JobKind.WORD_COUNT, first, true);
        faster(
                "word count, nothing changed: time",
                keep(new Comparison(JobKind.WORD_COUNT, FIRST, first.bytes(), cold.plain(), again)),
                4);
        lab.run(JobKind.CO_OCCURRENCE, first, true);
        lab.remove(first);
        onePlace(lab, text);
        hundredPlaces(lab, text);
        oneLine(lab, text);
        long equal = comparisons.stream().filter(Comparison::identical).count();
        measuring.record(Bar.holds(
                EQUALITY, equal == comparisons.size(), equal + " of " + comparisons.size() + " runs identical", "all"));
    }

    private void firstRun(Comparison cold, long memoBytes) {
        Outcome plain = cold.plain();
        measuring.record(Bar.atMost(
                "word count, first run: more time than plain",
                100 * (cold.incremental().seconds() / plain.seconds() - 1),
                15,
                " %"));
        measuring.record(Bar.reported(
                "word count, first run: memo space",
                String.format(
                        Locale.ROOT,
                        "%d MB, %.0f %% of the input",
                        memoBytes / 1_000_000,
                        100.0 * memoBytes / cold.inputBytes())));
    }

    private void onePlace(JobLab lab, Path text) throws IOException, InterruptedException {
        Uploaded version = upload(lab, text, ONE_PLACE);
        Comparison words = compare(lab, JobKind.WORD_COUNT, ONE_PLACE, version);
        read("word count, 1 % changed in one place: maps read", words, 2);
        faster("word count, 1 % changed in one place: time", words, 3);
        Comparison pairs = compare(lab, JobKind.CO_OCCURRENCE, ONE_PLACE, version);
        faster("co-occurrence, 1 % changed in one place: time", pairs, 8);
        lab.remove(version);
    }

    private void hundredPlaces(JobLab lab, Path text) throws IOException, InterruptedException {
        Uploaded version = upload(lab, text, HUNDRED_PLACES);
        Comparison words = compare(lab, JobKind.WORD_COUNT, HUNDRED_PLACES, version);
        read("word count, 1 % changed in 100 places: maps read", words, 25);
        faster("word count, 1 % changed in 100 places: time", words, 4);
        lab.remove(version);
    }

    /** How far one changed chunk goes up the tree. */
    private void oneLine(JobLab lab, Path text) throws IOException, InterruptedException {
        Uploaded version = upload(lab, text, ONE_LINE);
        Outcome.Work work = lab.run(JobKind.WORD_COUNT, version, true).work();
        lab.remove(version);
        long chunks = work.counter("CHUNKS_COMPUTED");
        long depth = work.counter("CONTRACTION_DEPTH");
        double nodes = (double) work.counter("CONTRACTION_NODES_COMPUTED") / REDUCERS / Math.max(1, chunks);
        measuring.record(Bar.holds(
                "contraction nodes for each changed chunk",
                chunks > 0 && depth > 0 && nodes <= 2 * depth,
                String.format(Locale.ROOT, "%.1f a partition; %d changed, %d levels", nodes, chunks, depth),
                "at most " + 2 * depth));
    }

    private static Uploaded upload(JobLab lab, Path text, Version version) throws IOException, InterruptedException {
        Path file = lab.scratch("version.txt");
        version.write(text, file, Data.TEXT);
        Uploaded uploaded = lab.upload(file, version.title());
        Files.delete(file);
        return uploaded;
    }

    private Comparison compare(JobLab lab, JobKind kind, Version version, Uploaded input)
            throws IOException, InterruptedException {
        return keep(Comparison.run(lab, kind, version, input));
    }

    private Comparison keep(Comparison comparison) {
        comparisons.add(comparison);
        return comparison;
    }

    private void read(String name, Comparison run, double most) {
        Bar bar = Bar.atMost(name, run.percentRead(), most, " %");
        Outcome.Work work = run.incremental().work();
        measuring.record(new Bar(
                name,
                String.format(
                        Locale.ROOT,
                        "%.2f %% of the file; %d of %d chunks of 1 MiB",
                        run.percentRead(),
                        work.counter("CHUNKS_COMPUTED"),
                        work.counter("CHUNKS_TOTAL")),
                bar.needed(),
                bar.verdict()));
    }

    private void faster(String name, Comparison run, double needed) {
        measuring.record(Bar.atLeastTimes(name, run.incremental().timesFasterThan(run.plain()), needed, beside(run)));
    }

    private static String beside(Comparison run) {
        return String.format(
                Locale.ROOT,
                "plain Hadoop, %.1f : %.1f s",
                run.plain().seconds(),
                run.incremental().seconds());
    }
}
