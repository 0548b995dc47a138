// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Bar.Verdict;
import io.shredder.it.scale.ScaleRow;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleVerdictsTest {
    private static final long BYTES = 10_000_000_000L;
    private static final String OURS = "shredder";

    private final List<ScaleRow> rows = new ArrayList<>();

    @Test
    void sixteenCoresAreHeldAgainstTwo() {
        operation(OURS, "first", 2, 20);
        operation(OURS, "first", 16, 2.5);
        assertThat(bar("first backup, 16 cores").figure()).isEqualTo("8.00 x (4.00 GB/s on 16 : 0.50 on 2)");
        assertThat(bar("first backup, 16 cores").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(bar("first backup: GB/s").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void whatTakesTooLongFails() {
        operation(OURS, "first", 2, 20);
        operation(OURS, "first", 16, 4);
        operation(OURS, "changed", 16, 2);
        assertThat(bar("first backup, 16 cores").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(bar("first backup: GB/s").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(bar("changed").verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void fewerCoresAreNeverJudged() {
        operation(OURS, "first", 2, 20);
        operation(OURS, "first", 8, 0.1);
        operation(OURS, "changed", 8, 100);
        assertThat(bar("first backup, 16 cores").verdict()).isEqualTo(Verdict.NOT_JUDGED);
        assertThat(bar("first backup: GB/s").figure()).endsWith("(8 cores; needs 16)");
        assertThat(bar("changed").verdict()).isEqualTo(Verdict.NOT_JUDGED);
        assertThat(new ScaleVerdicts(rows).bars())
                .noneMatch(bar -> bar.verdict() == Verdict.PASSED || bar.verdict() == Verdict.FAILED);
    }

    @Test
    void moreCoresThanTheBarsAreForDoNotTakeThePlaceOfSixteen() {
        operation(OURS, "changed", 16, 2);
        operation(OURS, "changed", 64, 1);
        assertThat(bar("changed").verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void aSmallerImageIsNotJudged() {
        rows.add(row(Part.OPERATIONS, OURS, "changed", 16, 1, BYTES - 1, 1, Map.of()));
        assertThat(bar("changed").verdict()).isEqualTo(Verdict.NOT_JUDGED);
    }

    @Test
    void theBestOfBothPeersCounts() {
        operation(OURS, "first", 16, 2);
        operation("restic", "first", 16, 30);
        operation("rustic", "first", 16, 9);
        assertThat(bar("first backup, beside").figure())
                .isEqualTo("4.50 x (shredder 5000, restic 333, rustic 1111 MB/s)");
        assertThat(bar("first backup, beside").verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void onePeerAloneIsNotEnoughToPass() {
        operation(OURS, "first", 16, 2);
        operation("restic", "first", 16, 30);
        assertThat(bar("first backup, beside").verdict()).isEqualTo(Verdict.NOT_JUDGED);
        rows.clear();
        operation(OURS, "first", 16, 10);
        operation("restic", "first", 16, 30);
        assertThat(bar("first backup, beside").verdict()).isEqualTo(Verdict.FAILED);
        rows.clear();
        operation(OURS, "first", 16, 10);
        assertThat(bar("first backup, beside").verdict()).isEqualTo(Verdict.NOT_RUN);
    }

    @Test
    void theStartOfAnUnchangedBackupIsTakenOut() {
        rows.add(row(Part.OPERATIONS, OURS, "unchanged", 16, 1, BYTES, 1, Map.of(Figure.START.name(), 0.5)));
        assertThat(bar("unchanged").figure()).startsWith("20; start of the command 0.50 s of 1.00 s");
        assertThat(bar("unchanged").needed()).isEqualTo("at least 15");
        limit("memory", 20);
        assertThat(bar("unchanged").needed()).isEqualTo("at least 10");
    }

    @Test
    void aRestoreMayComeNearWhatTheTargetTakes() {
        operation(OURS, "restore", 16, 5);
        operation(OURS, "local-restore", 16, 5);
        assertThat(bar("restore through TLS").verdict()).isEqualTo(Verdict.FAILED);
        limit("target", 2);
        assertThat(bar("restore through TLS").needed()).isEqualTo("at least 1.8");
        assertThat(bar("restore through TLS").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(bar("restore without agent").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void verificationCountsStoredBytes() {
        rows.add(row(
                Part.OPERATIONS, OURS, "verify", 16, 1, BYTES, 0.5, Map.of(Figure.REPOSITORY.name(), 4_000_000_000.0)));
        assertThat(bar("verify").figure()).startsWith("8; 0.50 s");
        assertThat(bar("verify").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void imagesAtOnceAreHeldAgainstOneStreamAndEachOther() {
        operation(OURS, "first", 16, 2);
        rows.add(row(Part.IMAGES, OURS, "first", 16, 16, BYTES, 2.1, shares(85, 100)));
        assertThat(bar("16 images at once, beside").figure()).startsWith("0.95 x");
        assertThat(bar("16 images at once, beside").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(bar("16 images at once, slowest").verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void fewerImagesOrClientsAreNotJudged() {
        operation(OURS, "first", 16, 2);
        rows.add(row(Part.IMAGES, OURS, "first", 16, 2, BYTES, 2, shares(100, 100)));
        rows.add(row(Part.CLIENTS, OURS, "put", 16, 2, BYTES, 2, shares(100, 100)));
        assertThat(bar("16 images at once, beside").verdict()).isEqualTo(Verdict.NOT_JUDGED);
        assertThat(bar("64 clients, slowest").verdict()).isEqualTo(Verdict.NOT_JUDGED);
    }

    @Test
    void manyClientsAreHeldAgainstFewByRate() {
        operation(OURS, "first", 16, 2);
        rows.add(row(Part.CLIENTS, OURS, "put", 16, 8, BYTES, 10, shares(100, 100)));
        rows.add(row(Part.CLIENTS, OURS, "put", 16, 64, BYTES / 2, 4, shares(49, 100)));
        assertThat(bar("64 clients, sum").figure()).startsWith("1.25 x");
        assertThat(bar("64 clients, sum").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(bar("64 clients, slowest").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(bar("64 clients, agent").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void anAgentsMemoryFollowsItsCores() {
        assertThat(ScaleVerdicts.agentBytes(2)).isEqualTo(500e6);
        assertThat(ScaleVerdicts.agentBytes(16)).isEqualTo(500e6 + (14 + 4) * 32 * 1_048_576.0);
    }

    @Test
    void withoutRowsNothingIsJudged() {
        assertThat(new ScaleVerdicts(rows).bars()).allMatch(bar -> bar.verdict() == Verdict.NOT_RUN);
    }

    private Bar bar(String start) {
        return new ScaleVerdicts(rows)
                .bars().stream()
                        .filter(bar -> bar.name().startsWith(start))
                        .findFirst()
                        .orElseThrow();
    }

    private void operation(String who, String what, int cores, double seconds) {
        rows.add(row(Part.OPERATIONS, who, what, cores, 1, BYTES, seconds, Map.of()));
    }

    private void limit(String what, double gigabytesPerSecond) {
        rows.add(row(Part.LIMITS, "machine", what, 16, 1, BYTES, BYTES / 1e9 / gigabytesPerSecond, Map.of()));
    }

    private static Map<String, Double> shares(double worst, double mean) {
        return Map.of(Figure.WORST.name(), worst, Figure.MEAN.name(), mean, Figure.PEAK.name(), 900e6);
    }

    private static ScaleRow row(
            Part part,
            String who,
            String what,
            int cores,
            int count,
            long bytes,
            double seconds,
            Map<String, Double> figures) {
        return new ScaleRow("unit", part, who, what, cores, count, 0, bytes, seconds, figures, "", "here");
    }
}
