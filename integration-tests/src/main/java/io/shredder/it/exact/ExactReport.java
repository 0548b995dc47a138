// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.Pair.Outcome;
import io.shredder.it.exact.cases.AllCases;
import io.shredder.it.exact.cases.JobCase.Trait;
import io.shredder.it.figures.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What came of all pairs, job by job. */
public final class ExactReport {
    private final Map<String, List<Pair>> byJob = new LinkedHashMap<>();
    private final List<Pair> pairs;

    public ExactReport(List<Pair> pairs) {
        this.pairs = List.copyOf(pairs);
        AllCases.cases().forEach(job -> byJob.put(job.name(), new ArrayList<>()));
        pairs.forEach(pair ->
                byJob.computeIfAbsent(pair.job(), name -> new ArrayList<>()).add(pair));
        byJob.values().removeIf(List::isEmpty);
    }

    /** How many pairs came out so. */
    public long count(Outcome outcome) {
        return pairs.stream().filter(pair -> pair.outcome() == outcome).count();
    }

    /** Jobs of others over served formats. */
    public List<String> servedJobsOfOthers() {
        return byJob.keySet().stream()
                .filter(name -> AllCases.named(name).origin().isThirdParty()
                        && !AllCases.named(name).is(Trait.UNSERVED_FORMAT))
                .toList();
    }

    /** Whether a job reused what an earlier run had kept, and never differed. */
    public boolean isIncremental(String job) {
        List<Pair> all = byJob.getOrDefault(job, List.of());
        return all.stream().anyMatch(pair -> pair.outcome() == Outcome.INCREMENTAL && pair.reused() > 0)
                && all.stream().noneMatch(pair -> pair.outcome().isBad());
    }

    /** Whether a job is there to fail. */
    public static boolean mustFail(String job) {
        return AllCases.named(job).is(Trait.FAILS);
    }

    /** The pairs of one job, in order. */
    public List<Pair> of(String job) {
        return byJob.getOrDefault(job, List.of());
    }

    /** A line for each pair that breaks the promise, with how to repeat it. */
    public static String line(Pair pair) {
        return pair.outcome() + ": " + pair.job() + ", seed " + pair.seed() + ", " + pair.step() + " ("
                + pair.settings() + "): " + pair.detail() + "\n    repeat: ./run bars exact --only " + pair.job()
                + " --seed " + pair.seed();
    }

    /** The table for people, in Markdown. */
    public String markdown() {
        List<List<String>> rows = new ArrayList<>();
        byJob.forEach((name, all) -> rows.add(List.of(
                name,
                String.valueOf(all.size()),
                String.valueOf(all.stream()
                        .filter(pair -> pair.outcome() == Outcome.INCREMENTAL)
                        .count()),
                reuse(all),
                String.valueOf(
                        all.stream().filter(pair -> pair.outcome().isBad()).count()),
                remark(all))));
        return new Table(
                        "Jobs, plainly and incrementally",
                        List.of(
                                "job",
                                "pairs",
                                "incremental",
                                "chunks reused",
                                "unequal",
                                "why plain, or what differs"),
                        rows)
                .markdown();
    }

    private static String reuse(List<Pair> all) {
        long reused = all.stream().mapToLong(Pair::reused).sum();
        long computed = all.stream().mapToLong(Pair::computed).sum();
        return reused + computed == 0 ? "-" : 100 * reused / (reused + computed) + " %";
    }

    private static String remark(List<Pair> all) {
        return all.stream()
                .filter(pair -> pair.outcome() != Outcome.INCREMENTAL)
                .map(pair -> switch (pair.outcome()) {
                    case PLAIN -> pair.detail();
                    case PLAIN_WITHOUT_REASON -> "plain without a reason";
                    case BOTH_FAILED -> "both fail: " + pair.detail();
                    default -> pair.step() + ": " + pair.detail();
                })
                .distinct()
                .limit(3)
                .collect(Collectors.joining("; "))
                .replace("|", "/")
                .replace('\n', ' ');
    }
}
