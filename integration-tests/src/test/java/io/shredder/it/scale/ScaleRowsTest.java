// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaleRowsTest {
    private static final double NS = 1e9;

    @TempDir
    Path folder;

    @Test
    void severalCallsAddUpInOneFile() throws Exception {
        Path file = folder.resolve("results.json");
        new ScaleResults(file).add(List.of(row("a", 4, 2)));
        new ScaleResults(file).add(List.of(row("b", 8, 1)));
        var all = new ScaleResults(file);
        assertThat(all.rows()).containsExactly(row("a", 4, 2), row("b", 8, 1));
        assertThat(all.has("a")).isTrue();
        assertThat(all.has("c")).isFalse();
    }

    @Test
    void aTornLineCostsNothingElse() throws Exception {
        Path file = folder.resolve("results.json");
        new ScaleResults(file).add(List.of(row("a", 4, 2)));
        Files.writeString(file, "{\"unit\":\"b\",\"pa\n", StandardOpenOption.APPEND);
        assertThat(new ScaleResults(file).rows()).containsExactly(row("a", 4, 2));
    }

    @Test
    void ofSeveralRoundsTheMedianCounts() {
        var rows = new ScaleRows(List.of(row("1", 4, 3), row("2", 4, 1), row("3", 4, 2), row("1", 8, 9)));
        assertThat(rows.find(Part.OPERATIONS, "shredder", "first", 4)
                        .orElseThrow()
                        .seconds())
                .isEqualTo(2);
        assertThat(rows.cores(Part.OPERATIONS)).containsExactly(4, 8);
    }

    @Test
    void aRateOfWorkLeavesTheStartOut() {
        ScaleRow row = row("a", 4, 2);
        assertThat(row.rate()).isEqualTo(500);
        assertThat(row.rateOfWork()).isEqualTo(1000.0 / 1.5);
        assertThat(row.coresBusy()).isEqualTo(2);
        assertThat(row.stages()).containsExactly(Map.entry("read", 1.5));
    }

    @Test
    void theReportHasARowForEachContenderAndCores() {
        String tables = new ScaleReport(List.of(row("a", 4, 2), row("b", 8, 1))).markdown();
        assertThat(tables)
                .contains("MB/s of source")
                .contains("| 4     | shredder")
                .contains("| 8     | shredder");
    }

    @Test
    void aLinkLetsPassWhatItsRateAllows() {
        var link = new TokenBucket(1e6);
        assertThat(link.take(1000, 0)).isZero();
        assertThat(link.take(1000, 0)).isEqualTo(1_000_000);
        assertThat(link.take(1000, 0)).isEqualTo(2_000_000);
        // Idle for long, it has no more than a millisecond's bytes to give at once.
        assertThat(link.take(1000, (long) (10 * NS))).isZero();
        assertThat(link.take(1000, (long) (10 * NS))).isEqualTo(1_000_000);
    }

    @Test
    void whatACommandSaysOfItsStagesIsOrderedByWhoWasBusy() throws Exception {
        var summary = new ObjectMapper()
                .readTree("{\"milliseconds\":2000,\"stages\":["
                        + "{\"stage\":\"reading\",\"threads\":1,\"busySeconds\":0.5,\"awaitingRoomSeconds\":1.0},"
                        + "{\"stage\":\"sealing\",\"threads\":4,\"busySeconds\":7.2,\"awaitingRoomSeconds\":0}]}");
        assertThat(OperationsUnit.busy(summary))
                .isEqualTo("sealing (4 threads) 90 %, reading waiting for room 50 %, reading 25 %");
    }

    @Test
    void imagesAreTheSameEachTimeAndTwoPercentApart() throws Exception {
        Path source = Files.createDirectories(folder.resolve("source"));
        byte[] text = "programs and libraries".repeat(20_000).getBytes(StandardCharsets.UTF_8);
        Files.write(source.resolve("file"), text);
        long bytes = 8 << 20;
        ScaleImages one = ScaleImages.in(folder.resolve("one"), List.of(source), bytes, 7);
        ScaleImages other = ScaleImages.in(folder.resolve("other"), List.of(source), bytes, 7);
        assertThat(one.first()).hasSize(bytes).hasSameBinaryContentAs(other.first());
        assertThat(one.second()).hasSize(bytes).hasSameBinaryContentAs(other.second());
        byte[] before = Files.readAllBytes(one.first());
        byte[] after = Files.readAllBytes(one.second());
        int changed = 0;
        for (int at = 0; at < bytes; at += 4096) {
            changed += Arrays.equals(before, at, at + 4096, after, at, at + 4096) ? 0 : 1;
        }
        assertThat(changed * 4096.0 / bytes).isBetween(0.015, 0.055);
    }

    @Test
    void imagesThatAreDealtOutAreTheFirstInAll() throws Exception {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.write(source.resolve("file"), new byte[] {1, 2, 3});
        ScaleImages images = ScaleImages.in(folder.resolve("images"), List.of(source), 5 << 20, 7);
        List<Path> dealt = images.dealt(2, folder.resolve("dealt"));
        assertThat(dealt.get(0)).hasSize(3 << 20);
        assertThat(dealt.get(1)).hasSize(2 << 20);
        byte[] whole = Files.readAllBytes(images.first());
        byte[] second = Files.readAllBytes(dealt.get(1));
        assertThat(second).startsWith(Arrays.copyOfRange(whole, 1 << 20, 2 << 20));
    }

    private static ScaleRow row(String unit, int cores, double seconds) {
        Map<String, Double> figures = Map.of(
                Figure.START.name(),
                0.5,
                Figure.COMMAND_CPU.name(),
                1.5 * seconds,
                Figure.AGENT_CPU.name(),
                0.5 * seconds,
                ScaleRow.STAGE + "read",
                1.5);
        return new ScaleRow(
                unit, Part.OPERATIONS, "shredder", "first", cores, 1, 0, 1000, seconds, figures, "", "here");
    }
}
