// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.backup.Costs;
import io.shredder.it.backup.Measured;
import io.shredder.it.backup.Operation;
import io.shredder.it.backup.Sources;
import io.shredder.it.figures.Bar;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackupVerdictsTest {
    private static final Sources SOURCES = new Sources(Path.of("v1"), Path.of("v2"), 1_000_000_000);

    private final List<Measured> measured = new ArrayList<>();

    @Test
    void eachRoundOfOursIsHeldAgainstThatOfThePeerWithTheBestMedian() {
        seconds("shredder", Operation.FIRST, 1, 2, 20);
        seconds("slow", Operation.FIRST, 10, 10, 10);
        seconds("fast", Operation.FIRST, 3, 3.2, 34);

        Bar bar = bar("backup, first");
        assertThat(bar.figure()).startsWith("1.70 x (shredder 500, slow 100, fast 313)");
        assertThat(bar.verdict()).isEqualTo(Bar.Verdict.PASSED);
    }

    @Test
    void fixedBlocksCountForAnUnchangedImageAlone() {
        seconds("shredder", Operation.UNCHANGED, 1);
        seconds("borg", Operation.UNCHANGED, 4);
        seconds("borg-fixed", Operation.UNCHANGED, 0.9);

        assertThat(bar("backup, unchanged: MB/s").failed()).isFalse();
        assertThat(bar("backup, unchanged, beside fixed blocks").failed()).isTrue();
    }

    @Test
    void bytesAddedMustBeFewerThanEveryPeersAndThanTheLimit() {
        repository("shredder", 2000, 2250);
        repository("peer", 2100, 2340);
        assertThat(bar("added by").figure()).isEqualTo("(shredder 250, peer 240)");
        assertThat(bar("added by").needed()).isEqualTo("at most 240");
        assertThat(bar("added by").failed()).isTrue();
        assertThat(bar("repository after").failed()).isFalse();
    }

    @Test
    void aPeerThatGivesNothingBackIsNotTheFastestToPrune() {
        repository("shredder", 100, 200);
        repository("idle", 100, 200);
        repository("busy", 100, 200);
        prune("shredder", 2, 150);
        prune("idle", 0.1, 200);
        prune("busy", 3, 152);

        assertThat(bar("prune").needed()).isEqualTo("at most 3.00 s");
        assertThat(bar("prune").failed()).isFalse();
    }

    @Test
    void withoutPeersFiguresAreReported() {
        seconds("shredder", Operation.RESTORE, 2);
        assertThat(bar("backup, restore").verdict()).isEqualTo(Bar.Verdict.REPORTED);
        assertThat(bar("restored files").figure()).startsWith("1 of 1");
        assertThat(bar("memory").failed()).isFalse();
    }

    @Test
    void aRestoreWithoutAgentIsBesideThePeersOwnRestores() {
        seconds("shredder", Operation.RESTORE, 2);
        seconds("shredder", Operation.LOCAL_RESTORE, 1);
        seconds("peer", Operation.RESTORE, 2);
        assertThat(bar("backup, restore").failed()).isTrue();
        assertThat(bar("backup, local-restore").figure()).startsWith("2.00 x");
        assertThat(bar("backup, local-restore").failed()).isFalse();
        assertThat(bar("restored files").figure()).startsWith("3 of 3");
    }

    private Bar bar(String start) {
        return new BackupVerdicts(measured, SOURCES)
                .bars().stream()
                        .filter(bar -> bar.name().startsWith(start))
                        .findFirst()
                        .orElseThrow();
    }

    private void seconds(String contender, Operation operation, double... seconds) {
        for (int i = 0; i < seconds.length; i++) {
            measured.add(
                    new Measured(contender, operation, 1 + i, seconds[i], SOURCES.bytes(), 100_000_000, 0, Costs.NONE));
        }
    }

    private void repository(String contender, long firstMegabytes, long changedMegabytes) {
        measured.add(new Measured(
                contender, Operation.FIRST, 1, 1, SOURCES.bytes(), 0, firstMegabytes * 1_000_000, Costs.NONE));
        measured.add(new Measured(
                contender, Operation.CHANGED, 1, 1, SOURCES.bytes(), 0, changedMegabytes * 1_000_000, Costs.NONE));
    }

    private void prune(String contender, double seconds, long megabytes) {
        measured.add(new Measured(
                contender, Operation.PRUNE, 1, seconds, SOURCES.bytes(), 0, megabytes * 1_000_000, Costs.NONE));
    }
}
