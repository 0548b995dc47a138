// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.alert.Outcomes;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.MachineOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonHistoryTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T02:30:00Z"), ZoneOffset.UTC);
    private static final LocalDate DAY = LocalDate.parse("2026-03-01");

    @TempDir
    private Path folder;

    private DaemonHistory open() throws IOException {
        return DaemonHistory.open(folder, CLOCK);
    }

    private static ImageOutcome failure(String image, String why) {
        return new ImageOutcome(image, Optional.empty(), Optional.of(why), Duration.ofSeconds(3));
    }

    private static List<String> words(DaemonHistory history) throws IOException {
        return history.runs(Long.MAX_VALUE, 100, line -> true).lines().stream()
                .map(line -> line.body().path("what").asText() + " "
                        + line.body()
                                .path("image")
                                .asText(line.body().path("result").asText()))
                .toList();
    }

    @Test
    void whatWasToldIsThereAfterARestart() throws IOException {
        try (DaemonHistory history = open()) {
            history.jobStarted("nightly");
            history.imageEnded("nightly", Outcomes.succeeded("vm1", 1000, 100, 40));
            history.imageEnded("nightly", failure("vm2", "no such file"));
            history.careEnded(
                    "starts",
                    new CareOutcome(
                            CareOutcome.Kind.BOOT,
                            Optional.of("vm1"),
                            Optional.empty(),
                            List.of("no sign of life"),
                            Map.of("boot.seconds", 4.5)));
            history.jobEnded("nightly", false);
            history.alert("image-failed", "nightly/vm2", "it failed", false);
        }
        try (DaemonHistory history = open()) {
            assertThat(words(history))
                    .containsExactly("job failed", "care vm1", "backup vm2", "backup vm1", "job started");
            assertThat(history.newest("vm1")).hasValueSatisfying(day -> {
                assertThat(day.succeeded()).isOne();
                assertThat(day.lastSuccess()).hasValue(CLOCK.instant());
                assertThat(day.imageBytes()).isEqualTo(1000);
                assertThat(day.storedEver()).isEqualTo(40);
            });
            assertThat(history.days("vm2", DAY, DAY)).singleElement().satisfies(day -> assertThat(day.failed())
                    .isOne());
            assertThat(history.days("vm3", DAY, DAY)).isEmpty();
            assertThat(history.lastRun("nightly").orElseThrow().path("result").asText())
                    .isEqualTo("failed");
            assertThat(history.lastFailure("vm2").orElseThrow().path("error").asText())
                    .isEqualTo("no such file");
            assertThat(history.lastFailure("vm1")).isEmpty();
            assertThat(history.lastCare("starts", Optional.of("vm1"))
                            .orElseThrow()
                            .at("/problems/0")
                            .asText())
                    .isEqualTo("no sign of life");
            assertThat(history.alerts(Long.MAX_VALUE, 9).lines())
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line.body().path("state").asText()).isEqualTo("raised"));
            assertThat(history.damage()).isEmpty();
        }
    }

    private static MachineOutcome machine(List<ImageOutcome> disks, Optional<String> error) {
        return new MachineOutcome("db", disks, error, false, List.of(), Optional.empty(), Duration.ofSeconds(1));
    }

    @Test
    void aMachineThatCannotBeHeldFailsForEachOfItsDisksOfNow() throws IOException {
        try (DaemonHistory history = open()) {
            history.machineEnded("nightly", machine(List.of(), Optional.of("no socket")));
            assertThat(history.imagesOf("db")).containsExactly("db");
        }
        try (DaemonHistory history = DaemonHistory.open(folder, Clock.offset(CLOCK, Duration.ofDays(1)))) {
            assertThat(history.lastFailure("db")).isPresent();
            history.machineEnded(
                    "nightly",
                    machine(
                            List.of(
                                    Outcomes.succeeded("db.vda", 1000, 100, 40),
                                    Outcomes.succeeded("db.vdb", 1000, 100, 40)),
                            Optional.empty()));
        }
        try (DaemonHistory history = DaemonHistory.open(folder, Clock.offset(CLOCK, Duration.ofDays(3)))) {
            assertThat(history.imagesOf("db")).containsExactly("db.vda", "db.vdb");
            history.machineEnded(
                    "nightly", machine(List.of(Outcomes.succeeded("db.vda", 1000, 100, 40)), Optional.empty()));
        }
        try (DaemonHistory history = DaemonHistory.open(folder, Clock.offset(CLOCK, Duration.ofDays(3)))) {
            assertThat(history.imagesOf("db")).as("vdb is gone").containsExactly("db.vda");
            history.machineEnded("nightly", machine(List.of(), Optional.of("no socket")));
        }
        try (DaemonHistory history = DaemonHistory.open(folder, Clock.offset(CLOCK, Duration.ofDays(3)))) {
            assertThat(history.newest("db.vda").orElseThrow().lastOk()).isFalse();
            assertThat(history.lastFailure("db.vdb")).isEmpty();
        }
    }

    @Test
    void whatACrashLeftUncountedIsCountedOnce() throws IOException {
        byte[] before;
        Path days = folder.resolve("history/days/vm.days");
        Path last = folder.resolve("history/last.json");
        try (DaemonHistory history = open()) {
            history.imageEnded("nightly", failure("vm", "first"));
            before = Files.readAllBytes(days);
            history.imageEnded("nightly", Outcomes.succeeded("vm", 1000, 100, 40));
            history.imageEnded("nightly", failure("other", "second"));
        }
        byte[] after = Files.readAllBytes(days);
        Files.write(days, before);
        Files.delete(folder.resolve("history/days/other.days"));
        Files.delete(last);
        for (int i = 0; i < 2; i++) {
            try (DaemonHistory history = open()) {
                assertThat(Files.readAllBytes(days)).isEqualTo(after);
                assertThat(history.newest("other").orElseThrow().failed()).isOne();
                assertThat(history.lastFailure("other")
                                .orElseThrow()
                                .path("error")
                                .asText())
                        .isEqualTo("second");
            }
        }
    }

    @Test
    void aRunThatACrashEndedIsNotedAsInterruptedOnce() throws IOException {
        try (DaemonHistory history = open()) {
            history.jobStarted("ended");
            history.jobStarted("killed");
            history.jobEnded("ended", true);
        }
        for (int i = 0; i < 2; i++) {
            try (DaemonHistory history = open()) {
                assertThat(words(history)).containsExactly("job interrupted", "job ok", "job started", "job started");
                assertThat(history.lastRun("killed")
                                .orElseThrow()
                                .path("result")
                                .asText())
                        .isEqualTo("interrupted");
            }
        }
    }

    @Test
    void aRunThatIsEndedByAnInterruptIsKeptAndWhatFollowsToo() throws IOException {
        try (DaemonHistory history = open()) {
            Thread.currentThread().interrupt();
            history.imageEnded("nightly", failure("vm", "given up"));
            history.alert("image-failed", "nightly/vm", "it failed", false);
            assertThat(Thread.interrupted()).isTrue();
            history.jobEnded("nightly", false);
            assertThat(words(history)).containsExactly("job failed", "backup vm");
            assertThat(history.newest("vm").orElseThrow().failed()).isOne();
            assertThat(history.alerts(Long.MAX_VALUE, 9).lines()).hasSize(1);
            assertThat(history.damage()).isEmpty();
        }
    }

    @Test
    void damageIsNamedHoldsUpNothingAndOtherImagesGoOn() throws IOException {
        try (DaemonHistory history = open()) {
            history.imageEnded("nightly", failure("vm1", "first"));
            history.imageEnded("nightly", failure("vm2", "first"));
        }
        Path days = folder.resolve("history/days/vm1.days");
        byte[] bytes = Files.readAllBytes(days);
        bytes[3] ^= 1;
        Files.write(days, bytes);
        Files.writeString(folder.resolve("history/last.json"), "{");
        try (DaemonHistory history = open()) {
            assertThat(history.damage()).singleElement().asString().contains(days + " is damaged at offset 0");
            history.imageEnded("nightly", failure("vm1", "second"));
            history.imageEnded("nightly", failure("vm2", "second"));
            assertThat(history.newest("vm1")).isEmpty();
            assertThat(history.newest("vm2").orElseThrow().failed()).isEqualTo(2);
            assertThat(Files.readAllBytes(days)).isEqualTo(bytes);
            assertThat(words(history)).hasSize(4);
        }
    }

    @Test
    void whatCannotBeKeptIsNamedAndThrowsNothing() throws IOException {
        DaemonHistory history = open();
        history.close();
        history.imageEnded("nightly", failure("vm", "x".repeat(100_000)));
        assertThat(history.damage()).singleElement().asString().contains("a line could not be kept");
    }
}
