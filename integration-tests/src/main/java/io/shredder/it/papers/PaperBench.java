// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.papers;

import java.util.ArrayList;
import java.util.List;

/**
 * A bench that papers' figures come from.
 *
 * @param name as {@code ./run bench} has it; also its folder below {@code target/bench} if it leaves a report
 * @param quickly the words with which it is over in minutes on two cores
 * @param reports whether it leaves a {@code report.json}; else what it prints is shown
 */
record PaperBench(String name, List<String> quickly, boolean reports) {

    /** Those that need no GPU, the shortest first. */
    static final List<PaperBench> ALL = List.of(
            new PaperBench("pools", List.of("--quick"), true),
            new PaperBench("index", List.of("--entries", "1m", "--rounds", "1"), false),
            new PaperBench("crypto", List.of("--quick"), true),
            new PaperBench("coding", List.of("--quick"), true),
            new PaperBench("dispersal", List.of("--mib", "128", "--rounds", "3", "--warm-up", "5"), false),
            new PaperBench("integrity", List.of("--quick"), true),
            new PaperBench("incoop", List.of("--quick"), true),
            new PaperBench("backup", List.of("--quick"), true),
            new PaperBench("engine", List.of("--quick"), true));

    /** What it is run with. */
    List<String> words(boolean quick) {
        List<String> words = new ArrayList<>(List.of("bench", name));
        words.addAll(quick ? quickly : List.of());
        return words;
    }
}
