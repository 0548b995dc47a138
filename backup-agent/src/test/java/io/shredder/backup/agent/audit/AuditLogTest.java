// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.schedule.JumpingClock;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-05-04T03:02:01Z"), ZoneOffset.UTC);

    private static final int SECTOR_BYTES = 512;

    @TempDir
    private Path folder;

    private AuditLog open() throws IOException {
        return AuditLog.open(
                folder.resolve("audit.log"), CLOCK, new SpaceReserve(folder.resolve("reserve"), () -> 100));
    }

    private Path file() {
        return folder.resolve("audit.log");
    }

    private static String withValue(String before, String line) throws Exception {
        String start = line + ",\"chain\":\"";
        byte[] digest = MessageDigest.getInstance("SHA-256").digest((before + start).getBytes(StandardCharsets.UTF_8));
        return before + start + HexFormat.of().formatHex(digest).substring(0, 32) + "\"}\n";
    }

    @Test
    void linesHaveExactlyTheDocumentedBytes() throws Exception {
        try (AuditLog log = open()) {
            log.record("container-delete", Map.of("container", 7));
        }
        String first = withValue("", "{\"time\":\"2026-05-04T03:02:01Z\",\"event\":\"log-begun\"");
        assertThat(Files.readString(file()))
                .isEqualTo(withValue(
                        first, "{\"time\":\"2026-05-04T03:02:01Z\",\"event\":\"container-delete\",\"container\":7"));
    }

    @Test
    void whoMayNotDeleteDoesNotGiveUpTheReserve() throws IOException {
        RecordedFiles disk = new RecordedFiles(folder);
        SpaceReserve reserve = new SpaceReserve(disk.root().resolve("reserve"), () -> 100);
        try (AuditLog log = AuditLog.open(disk.root().resolve("audit.log"), CLOCK, reserve)) {
            reserve.fill();
            byte[] before = Files.readAllBytes(file());
            disk.fill(DiskChange.Write.class::isInstance);
            assertThatThrownBy(() -> log.refused("site1", "site1", "DELETE")).hasMessageContaining("No space left");
            assertThat(folder.resolve("reserve")).hasSize(100);
            assertThatThrownBy(() -> log.record("snapshot-delete", Map.of())).hasMessageContaining("No space left");
            assertThat(folder.resolve("reserve")).hasSize(0);
            assertThat(file()).hasBinaryContent(before);
        }
    }

    @Test
    void refusalsAreWrittenOnceAMinuteForEachClientAndKind() throws IOException {
        JumpingClock ticks = new JumpingClock(CLOCK.instant());
        SpaceReserve reserve = new SpaceReserve(folder.resolve("reserve"), () -> 100);
        try (AuditLog log = AuditLog.open(file(), ticks, reserve)) {
            for (int second = 0; second < 150; second++) {
                log.refused("site1", "site1", "DELETE");
                log.refused("site1", "site1", "COLLECT");
                log.refused("site2", "site2", "COLLECT");
                ticks.add(Duration.ofSeconds(1));
            }
            assertThat(log.problems()).isEmpty();
        }
        assertThat(Files.readAllLines(file()))
                .filteredOn(line -> line.contains(
                        "\"event\":\"refused\",\"client\":\"site1\",\"namespace\":\"site1\",\"request\":\"DELETE\""))
                .hasSize(3);
        assertThat(Files.readAllLines(file())).hasSize(1 + 3 * 3);
    }

    @Test
    void linesAreAddedAndAHalfOneIsEndedAndNeverChanged() throws IOException {
        try (AuditLog log = open()) {
            log.record("first", Map.of("name", "a\"b\n"));
        }
        Files.writeString(file(), "{\"half", StandardOpenOption.APPEND);
        try (AuditLog log = open()) {
            log.record("second", Map.of());
            assertThat(log.problems()).isEmpty();
        }
        List<String> lines = Files.readAllLines(file());
        assertThat(lines).hasSize(5);
        assertThat(new ObjectMapper().readTree(lines.get(1)).get("name").asText())
                .isEqualTo("a\"b\n");
        assertThat(lines.get(2)).isEqualTo("{\"half");
        assertThat(lines.get(3)).contains("\"event\":\"log-continued\"");
        assertThat(lines.get(4)).contains("\"event\":\"second\"");
    }

    @Test
    void aLogOfAnOlderVersionIsContinued() throws IOException {
        String old = "{\"time\":\"2026-01-01T00:00:00Z\",\"event\":\"refused\"}\n";
        Files.writeString(file(), old);
        try (AuditLog log = open()) {
            log.record("second", Map.of());
            assertThat(log.problems()).isEmpty();
        }
        assertThat(Files.readString(file())).startsWith(old);
        byte[] contents = Files.readAllBytes(file());
        contents[3] ^= 1;
        Files.write(file(), contents);
        try (AuditLog log = open()) {
            assertThat(log.problems()).isNotEmpty();
        }
    }

    @Test
    void everyFlippedBitIsFoundAlsoAfterTheNextStartAndFurtherLines() throws IOException {
        try (AuditLog log = open()) {
            log.record("first", Map.of("name", "x"));
            log.record("second", Map.of("name", "y"));
        }
        byte[] good = Files.readAllBytes(file());
        Random random = new Random(Samples.seed());
        for (int bit = 0; bit < 8 * good.length; bit++) {
            if (!LongTests.tries(random, 4)) {
                continue;
            }
            byte[] flipped = good.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(), flipped);
            try (AuditLog log = open()) {
                if (bit / 8 < good.length - 1) {
                    assertThat(log.problems())
                            .as("bit %d", bit)
                            .isNotEmpty()
                            .allMatch(line -> line.startsWith("audit.log: "));
                }
                log.record("third", Map.of());
                if (bit / 8 < good.length - 1) {
                    assertThat(log.problems()).as("bit %d, later", bit).isNotEmpty();
                }
            }
        }
    }

    /** Writes reach a disk by sectors, in any order: those that did not hold zeros, or end the file. */
    @InTurn(days = 3)
    @Test
    void aLineWhoseLastSectorCameFirstIsAHalfOne() throws IOException {
        Random random = new Random(Samples.seed());
        int torn = 0;
        for (int length = 1; length <= 600; length++) {
            if (!LongTests.tries(random, 4)) {
                continue;
            }
            Files.deleteIfExists(file());
            long end;
            try (AuditLog log = open()) {
                log.record("first", Map.of("name", "x".repeat(300)));
                end = Files.size(file());
                log.record("second", Map.of("name", "y".repeat(length)));
            }
            torn += tear(end, "length " + length);
        }
        assertThat(torn).isGreaterThan(100);
    }

    @InTurn(days = 3)
    @Test
    void soIsTheLineThatContinuesBehindAHalfOne() throws IOException {
        Random random = new Random(Samples.seed());
        int torn = 0;
        for (int length = 1; length <= 600; length++) {
            if (!LongTests.tries(random, 4)) {
                continue;
            }
            Files.deleteIfExists(file());
            open().close();
            Files.writeString(file(), "{" + "h".repeat(length), StandardOpenOption.APPEND);
            long end = Files.size(file());
            open().close();
            torn += tear(end, "half line of " + length);
        }
        assertThat(torn).isGreaterThan(20);
    }

    /** Of all sectors that were written last, each alone, and each up to one, is lost; returns how often. */
    private int tear(long from, String as) throws IOException {
        byte[] whole = Files.readAllBytes(file());
        int tried = 0;
        for (long at = from; at < whole.length; at = (at / SECTOR_BYTES + 1) * SECTOR_BYTES) {
            int end = (int) Math.min(whole.length, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
            for (long lostFrom : new long[] {at, from}) {
                byte[] left = whole.clone();
                Arrays.fill(left, (int) lostFrom, end, (byte) 0);
                Files.write(file(), left);
                try (AuditLog log = open()) {
                    assertThat(log.problems())
                            .as("%s, lost %d to %d", as, lostFrom, end)
                            .isEmpty();
                    log.record("third", Map.of());
                    assertThat(log.problems()).as("%s, later", as).isEmpty();
                }
                assertThat(Arrays.copyOf(Files.readAllBytes(file()), left.length))
                        .isEqualTo(left);
                tried++;
            }
        }
        return tried;
    }
}
