// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * Random edits of an input, in turn under jobs of every kind, with any number of reducers: the part files are, byte for
 * byte, those of a plain run. {@code -Dincoop.equality.seconds=600} goes on for so long;
 * {@code -Dincoop.equality.seed=N} repeats a run.
 */
class EqualityIT extends LocalJobs {

    private static final int[] REDUCERS = {1, 2, 3, 7};

    private final long seed = Long.getLong("incoop.equality.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private long reused;

    @Test
    @InTurn(days = 3)
    void whateverIsEditedThePartFilesAreThoseOfAPlainRun() throws Exception {
        System.out.println("-Dincoop.equality.seed=" + seed);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("incoop.equality.seconds", 0));
        List<EqualityJob> kinds = new ArrayList<>(List.of(EqualityJob.values()));
        List<String> lines = EditedTexts.lines(random, 4000);
        int round = 0;
        do {
            Collections.shuffle(kinds, random);
            for (EqualityJob kind : kinds) {
                int reducers = REDUCERS[random.nextInt(REDUCERS.length)];
                // Once to fill the store, once to use what the edit has left of it.
                for (int version = 0; version < 2; version++) {
                    upload(lines);
                    compare(kind, reducers, "round " + round + ", version " + version);
                    lines = EditedTexts.edited(random, lines, 1 + random.nextInt(10));
                }
            }
            round++;
        } while (System.nanoTime() < endNs);
        assertThat(reused).isPositive();
    }

    /** The text as one file or as two, which cuts it elsewhere. */
    private void upload(List<String> lines) throws Exception {
        fs.delete(input.getParent(), true);
        int middle = random.nextInt(4) == 0 ? random.nextInt(lines.size()) : lines.size();
        Uploads.upload(fs, input, EditedTexts.bytes(lines.subList(0, middle)));
        if (middle < lines.size()) {
            Uploads.upload(
                    fs, new Path(input.getParent(), "second"), EditedTexts.bytes(lines.subList(middle, lines.size())));
        }
    }

    private void compare(EqualityJob kind, int reducers, String when) throws Exception {
        FinishedJob incremental = FinishedJob.of(kind.job(conf("inc-local"), reducers), fs, input.getParent());
        FinishedJob plain = FinishedJob.of(kind.job(conf("local"), reducers), fs, input.getParent());

        assertThat(incremental.output())
                .as("%s with %d reducers, %s, seed %d", kind, reducers, when, seed)
                .isEqualTo(plain.output())
                .hasSize(reducers);
        assertThat(incremental.ranPlainly()).as("%s ran plainly", kind).isFalse();
        reused += incremental.chunks(IncoopCounter.CHUNKS_REUSED);
    }
}
