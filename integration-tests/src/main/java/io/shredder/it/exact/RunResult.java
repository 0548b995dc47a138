// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one run of a program gave.
 *
 * @param failure why it failed; empty if it ended well
 * @param output files of its output folder
 * @param side files that it left elsewhere
 * @param counters of all its jobs
 * @param messages what the client and, where they ran in this process, the tasks logged
 */
record RunResult(
        Optional<String> failure,
        SortedMap<String, byte[]> output,
        SortedMap<String, byte[]> side,
        PrintedCounters counters,
        List<String> messages) {

    /** Said at submission, or, with the plain run's id, when the incremental run has been given up. */
    private static final Pattern PLAINLY =
            Pattern.compile("incoop: the job runs plainly(?:, as \\S+)?: (.*)", Pattern.DOTALL);

    private static final Pattern INCREMENTALLY =
            Pattern.compile("incoop: \\d+ (chunks|splits without reducers), \\d+ reused, .*", Pattern.DOTALL);

    private static final Pattern NAMES_OF_A_RUN = Pattern.compile("(attempt|job|task|application)_[\\w-]+|/[\\w./-]*");

    /** How a plain and an incremental run of the same differ first; empty if they are equal. */
    static Optional<String> difference(RunResult plain, RunResult incremental) {
        if (plain.failure.isPresent() || incremental.failure.isPresent()) {
            return plain.failure.isPresent() && incremental.failure.isPresent()
                    ? Optional.empty()
                    : Optional.of(
                            plain.failure.isPresent()
                                    ? "passes, plainly it fails: " + plain.failure.get()
                                    : "fails: " + incremental.failure.get());
        }
        return FolderFiles.difference(plain.output, incremental.output)
                .or(() -> FolderFiles.difference(plain.side, incremental.side)
                        .map(difference -> "side file " + difference))
                .or(() -> difference(plain.counters.users(), incremental.counters.users()));
    }

    private static Optional<String> difference(Map<String, Long> plain, Map<String, Long> incremental) {
        if (plain.equals(incremental)) {
            return Optional.empty();
        }
        for (Map.Entry<String, Long> counter : plain.entrySet()) {
            long other = incremental.getOrDefault(counter.getKey(), 0L);
            if (counter.getValue() != other) {
                return Optional.of("counter " + counter.getKey() + " is " + other + ", plainly " + counter.getValue());
            }
        }
        return Optional.of("counters that are 0 plainly: " + incremental);
    }

    /** Whether a job was planned incrementally and not given up; one that needs all counters has none of ours. */
    boolean isIncremental() {
        return counters.tellOfAnIncrementalJob()
                || (reason().isEmpty()
                        && messages.stream()
                                .anyMatch(message ->
                                        INCREMENTALLY.matcher(message).matches()));
    }

    /** Why the job ran plainly, without names that differ from run to run; empty if none says so. */
    Optional<String> reason() {
        return messages.stream()
                .map(PLAINLY::matcher)
                .filter(Matcher::matches)
                .map(plainly -> NAMES_OF_A_RUN.matcher(plainly.group(1)).replaceAll("..."))
                .reduce((earlier, later) -> earlier);
    }
}
