// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.Pair.Outcome;
import io.shredder.it.exact.cases.JobCase;
import io.shredder.it.exact.cases.JobCase.Change;
import io.shredder.it.exact.cases.Surroundings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * One case's life under one seed: a first run, one more with nothing changed, one after each change of what it is
 * given, then one after each of some edits of the input. Each is a pair: a plain run and an incremental one, in either
 * order.
 */
final class Scenario {
    private final Lab lab;
    private final JobCase job;
    private final long seed;
    private final int edits;
    private final Random random;
    private final Settings settings;
    private final HdfsInput input;
    private final SideWorld world;
    private final Evidence evidence;
    private final Consumer<Pair> sink;

    /**
     * A scenario that has not begun.
     *
     * @param edits of the input
     * @param evidence where what differs is kept
     * @param sink takes each pair as it is judged
     */
    Scenario(Lab lab, JobCase job, long seed, int edits, Evidence evidence, Consumer<Pair> sink) throws IOException {
        this.lab = lab;
        this.job = job;
        this.seed = seed;
        this.edits = edits;
        this.random = new Random(seed * 31 + job.name().hashCode());
        this.settings = Settings.drawn(job, random);
        Places places = lab.places(job.name());
        this.world = new SideWorld(lab.fs(), places);
        this.input = new HdfsInput(
                lab.fs(),
                job.kind(),
                InputLayout.of(job, random),
                places.input(),
                places.local().resolve("input"));
        this.evidence = evidence;
        this.sink = sink;
    }

    void play() throws IOException, InterruptedException {
        input.uploadFirst(random);
        Surroundings now = job.first();
        pair("first run", now);
        pair("again", now);
        for (Change change : job.changes()) {
            now = change.edit().apply(now);
            pair(change.name(), now);
        }
        if (!job.changes().isEmpty()) {
            now = job.first();
            pair("as at first", now);
        }
        for (InputEdit edit : drawnEdits()) {
            input.edit(edit, random);
            pair(edit.title(), now);
        }
    }

    private List<InputEdit> drawnEdits() {
        var all = new ArrayList<>(Arrays.asList(InputEdit.values()));
        Collections.shuffle(all, random);
        return all.subList(0, Math.min(edits, all.size()));
    }

    private void pair(String step, Surroundings now) throws IOException, InterruptedException {
        boolean plainFirst = random.nextBoolean();
        RunResult first = run(now, !plainFirst);
        RunResult second = run(now, plainFirst);
        RunResult plain = plainFirst ? first : second;
        RunResult incremental = plainFirst ? second : first;
        Optional<String> difference = RunResult.difference(plain, incremental);
        // A job whose plain runs differ among themselves proves nothing.
        Optional<String> unstable =
                difference.isPresent() ? RunResult.difference(plain, run(now, false)) : Optional.empty();
        Pair pair = judged(step, plain, incremental, difference, unstable);
        if (pair.outcome().isBad() || pair.outcome() == Outcome.NOT_COMPARABLE) {
            evidence.keep(pair, plain, incremental);
        }
        sink.accept(pair);
    }

    private RunResult run(Surroundings now, boolean incremental) throws IOException, InterruptedException {
        return lab.run(job, settings, now, world, input.paths(), incremental);
    }

    private Pair judged(
            String step,
            RunResult plain,
            RunResult incremental,
            Optional<String> difference,
            Optional<String> unstable) {
        PrintedCounters counters = incremental.counters();
        Outcome outcome;
        String detail = incremental.reason().orElse("");
        if (unstable.isPresent()) {
            outcome = Outcome.NOT_COMPARABLE;
            detail = "two plain runs: " + unstable.get();
        } else if (difference.isPresent()) {
            outcome = plain.failure().isEmpty() && incremental.failure().isPresent()
                    ? Outcome.FAILS_ONLY_INCREMENTALLY
                    : Outcome.SILENT_DIFFERENCE;
            detail = difference.get();
        } else if (plain.failure().isPresent()) {
            outcome = Outcome.BOTH_FAILED;
            detail = plain.failure().get();
        } else if (incremental.isIncremental()) {
            outcome = Outcome.INCREMENTAL;
        } else {
            outcome = detail.isEmpty() ? Outcome.PLAIN_WITHOUT_REASON : Outcome.PLAIN;
        }
        return new Pair(
                job.name(),
                seed,
                step,
                outcome,
                detail,
                counters.incoop("CHUNKS_REUSED") + counters.incoop("SPLITS_TOTAL") - counters.incoop("SPLITS_COMPUTED"),
                counters.incoop("CHUNKS_COMPUTED") + counters.incoop("SPLITS_COMPUTED"),
                settings.text());
    }
}
