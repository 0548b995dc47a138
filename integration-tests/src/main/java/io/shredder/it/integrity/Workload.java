// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

/** What is written, as the paper has it (section 4.2). */
enum Workload {
    /** Files that have nothing in common. */
    DIFFERENT("different", 7, 12),
    /** The same file again and again; its first time isn't timed. */
    SIMILAR("similar", 9, 13),
    /** A process's images one after another ({@link io.shredder.it.corpus.CheckpointImage}); the first isn't timed. */
    CHECKPOINT("checkpoint", 11, 14);

    private final String word;
    private final int figure;
    private final int besideFigure;

    Workload(String word, int figure, int besideFigure) {
        this.word = word;
        this.figure = figure;
        this.besideFigure = besideFigure;
    }

    /** The paper's figure of it, without neighbours; where there are two, that of fixed blocks, the first. */
    int figure() {
        return figure;
    }

    /** The paper's figure of it beside a neighbour. */
    int figure(Neighbour neighbour) {
        return besideFigure + (neighbour == Neighbour.COMPUTES ? 0 : 3);
    }

    /** As options and rows have it. */
    String word() {
        return word;
    }

    /** How many of its files are in the store before the clock runs. */
    int primed() {
        return this == DIFFERENT ? 0 : 1;
    }
}
