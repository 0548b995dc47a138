// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hundred quiet days without an alarm, and a hundred bad ones of which each is told once, by HTTP and by mail. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AlertDaysTest {

    private static final long SEED = Long.getLong("shredder.seed", 20_261_129);
    private static final int DAYS = 100;
    /** Before that nobody knows what is usual. */
    private static final int DAYS_BEFORE = 10;

    private static final Map<AlertKind, String> SUBJECTS = Map.ofEntries(
            Map.entry(AlertKind.IMAGE_FAILED, "often/mail"),
            Map.entry(AlertKind.IMAGE_SILENT, "nightly/web1"),
            Map.entry(AlertKind.JOB_MISSED, "often"),
            Map.entry(AlertKind.JOB_STALLED, "often"),
            Map.entry(AlertKind.UNLIKE_BEFORE, "nightly/web1"),
            Map.entry(AlertKind.CHANGES_UNTRUE, "nightly/host.vda"),
            Map.entry(AlertKind.DAMAGE_FOUND, "proof"),
            Map.entry(AlertKind.BOOT_FAILED, "starts/web1"),
            Map.entry(AlertKind.CARE_FAILED, "elsewhere"),
            Map.entry(AlertKind.PRUNE_HELD, "old/db1"),
            Map.entry(AlertKind.DELETION_WAITS, "old/files"),
            Map.entry(AlertKind.AGENT_WENT_BACK, "often/mail"),
            Map.entry(AlertKind.KEEPER_AWAY, "keeper 0"),
            Map.entry(AlertKind.KEEPER_DAMAGED, "keeper 0"));

    @TempDir
    private Path folder;

    private AlertReceivers receivers;

    @BeforeEach
    void start() throws Exception {
        receivers = new AlertReceivers();
    }

    @AfterEach
    void stop() {
        receivers.close();
    }

    private static Stream<String> messages(AlertKind kind) {
        Stream<AlertKind> told =
                kind == AlertKind.AGENT_WENT_BACK ? Stream.of(AlertKind.IMAGE_FAILED, kind) : Stream.of(kind);
        return told.map(each -> (each.word() + " " + SUBJECTS.getOrDefault(each, "")).strip());
    }

    @Test
    void onAHundredQuietDaysNobodyIsTold() throws Exception {
        try (AlertDays days =
                new AlertDays(folder, receivers.targets(AlertDays.SILENCE), LocalDate.of(2026, 2, 15), SEED)) {
            for (int day = 0; day < DAYS; day++) {
                int before = receivers.pings();
                days.quietDay();
                receivers.awaitPings(before + 1); // Of those that wait the newest is sent.
                assertThat(days.raised()).as("day %d of seed %d", day, SEED).isEmpty();
            }
        }
        assertThat(receivers.pings()).as("what did come came").isBetween(DAYS, 3 * DAYS);
        assertThat(receivers.posted()).as("by HTTP").isEmpty();
        assertThat(receivers.mailed()).as("by mail").isEmpty();
    }

    @Test
    void ofAHundredBadDaysEachIsToldOnceAndSoIsItsEnd() throws Exception {
        List<AlertKind> troubles = new ArrayList<>();
        Random random = new Random(SEED);
        while (troubles.size() < DAYS) {
            List<AlertKind> each = new ArrayList<>(Arrays.asList(AlertKind.values()));
            Collections.shuffle(each, random);
            troubles.addAll(each.subList(0, Math.min(each.size(), DAYS - troubles.size())));
        }
        assertThat(troubles).hasSize(DAYS).contains(AlertKind.values());
        List<String> expected = new ArrayList<>();
        try (AlertDays days =
                new AlertDays(folder, receivers.targets(AlertDays.SILENCE), LocalDate.of(2026, 7, 15), SEED)) {
            for (int day = 0; day < DAYS_BEFORE; day++) {
                days.quietDay();
            }
            for (AlertKind trouble : troubles) {
                days.badDay(trouble);
                messages(trouble).forEach(expected::add);
                told(trouble + " is told", expected);
                days.quietDay();
                messages(trouble).map(message -> "recovered: " + message).forEach(expected::add);
                told("the end of " + trouble + " is told", expected);
            }
        }
        assertThat(receivers.posted()).isEqualTo(expected);
        assertThat(receivers.mailed()).isEqualTo(expected);
    }

    private void told(String what, List<String> expected) throws Exception {
        receivers.await(expected.size());
        assertThat(receivers.posted()).as("%s by HTTP, seed %d", what, SEED).isEqualTo(expected);
        assertThat(receivers.mailed()).as("%s by mail, seed %d", what, SEED).isEqualTo(expected);
    }
}
