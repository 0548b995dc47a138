// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RetentionPolicyTest {

    private static final SnapshotName NAME = new SnapshotName("vm");

    private static SnapshotInfo snapshot(long id, String received) {
        return snapshot(id, Instant.parse(received));
    }

    private static SnapshotInfo snapshot(long id, Instant received) {
        return new SnapshotInfo(
                id,
                NAME,
                received,
                1,
                1,
                new SnapshotSeal(new KeyId(1, 2), new UUID(3, 4)),
                new SealedBytes(new byte[0]),
                Fingerprint.ofData(ByteBuffer.allocate(1)));
    }

    private static List<Long> kept(RetentionPolicy policy, List<SnapshotInfo> series) {
        return policy.decide(series).stream()
                .filter(RetentionPolicy.Decision::isKept)
                .map(decision -> decision.snapshot().id())
                .toList();
    }

    private static RetentionPolicy spans(Period period, int count) {
        return new RetentionPolicy(0, Map.of(period, count), ZoneOffset.UTC);
    }

    private final List<SnapshotInfo> year = List.of(
            snapshot(1, "2024-12-29T22:00:00Z"),
            snapshot(2, "2024-12-30T01:00:00Z"),
            snapshot(3, "2025-01-01T10:10:00Z"),
            snapshot(4, "2025-01-01T10:50:00Z"),
            snapshot(5, "2025-01-02T00:00:00Z"),
            snapshot(6, "2025-02-01T00:00:00Z"));

    @Test
    void theLastOfEachSpanThatHasAnyIsKept() {
        assertThat(kept(new RetentionPolicy(2, Map.of(), ZoneOffset.UTC), year)).containsExactly(6L, 5L);
        assertThat(kept(spans(Period.HOURLY, 4), year)).containsExactly(6L, 5L, 4L, 2L);
        assertThat(kept(spans(Period.DAILY, 3), year)).containsExactly(6L, 5L, 4L);
        assertThat(kept(spans(Period.WEEKLY, 3), year))
                .as("2024-12-30 is a Monday")
                .containsExactly(6L, 5L, 1L);
        assertThat(kept(spans(Period.MONTHLY, 3), year)).containsExactly(6L, 5L, 2L);
        assertThat(kept(spans(Period.YEARLY, 9), year)).containsExactly(6L, 2L);
    }

    @Test
    void aSnapshotStaysIfAnyRuleKeepsItAndSaysWhich() {
        RetentionPolicy policy = new RetentionPolicy(1, Map.of(Period.MONTHLY, 2, Period.YEARLY, 2), ZoneOffset.UTC);
        List<RetentionPolicy.Decision> decisions = policy.decide(year);
        assertThat(decisions.get(0).keptBy()).containsExactly("last", "monthly", "yearly");
        assertThat(decisions.get(1).keptBy()).containsExactly("monthly");
        assertThat(decisions.get(2).isKept()).isFalse();
        assertThat(decisions.get(4).keptBy()).containsExactly("yearly");
    }

    @Test
    void theCalendarIsThatOfTheZone() {
        List<SnapshotInfo> series = List.of(snapshot(1, "2025-05-01T21:30:00Z"), snapshot(2, "2025-05-01T22:30:00Z"));
        assertThat(kept(spans(Period.DAILY, 5), series)).containsExactly(2L);
        assertThat(kept(new RetentionPolicy(0, Map.of(Period.DAILY, 5), ZoneId.of("Europe/Berlin")), series))
                .containsExactly(2L, 1L);
    }

    @Test
    void anHourThatTheClockShowsTwiceIsTwoHours() {
        List<SnapshotInfo> series = List.of(snapshot(1, "2025-10-26T00:30:00Z"), snapshot(2, "2025-10-26T01:30:00Z"));
        assertThat(kept(new RetentionPolicy(0, Map.of(Period.HOURLY, 5), ZoneId.of("Europe/Berlin")), series))
                .hasSize(2);
    }

    @Test
    void aClockThatOnceWentWrongMakesNoOldSnapshotTheNewest() {
        List<SnapshotInfo> series = List.of(
                snapshot(1, "2025-01-01T00:00:00Z"),
                snapshot(2, "2099-01-01T00:00:00Z"),
                snapshot(3, "2025-01-02T00:00:00Z"));
        assertThat(kept(new RetentionPolicy(1, Map.of(), ZoneOffset.UTC), series))
                .containsExactly(3L);
        assertThat(kept(spans(Period.DAILY, 1), series)).containsExactly(3L);
    }

    @Test
    void rulesThatKeepNothingAreRefused() {
        assertThatThrownBy(() -> new RetentionPolicy(0, Map.of(), ZoneOffset.UTC))
                .hasMessageContaining("keeps nothing");
        assertThatThrownBy(() -> spans(Period.DAILY, 0)).hasMessageContaining("keep-daily 0 is below 1");
        assertThatThrownBy(() -> new RetentionPolicy(-1, Map.of(), ZoneOffset.UTC))
                .hasMessageContaining("below 1");
    }

    @Test
    void itEqualsTheReferenceOnRandomSeriesAndAlwaysKeepsTheNewest() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dseed=" + seed + ")");
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<SnapshotInfo> series = new ArrayList<>();
            long time = 1_700_000_000L;
            for (int id = 1 + random.nextInt(60); id > 0; id--) {
                time += random.nextInt(10) == 0 ? 3_000_000 : random.nextInt(100_000);
                series.add(snapshot(series.size() + 1, Instant.ofEpochSecond(time)));
            }
            Map<Period, Integer> spans = new EnumMap<>(Period.class);
            for (Period period : Period.values()) {
                if (random.nextBoolean()) {
                    spans.put(period, 1 + random.nextInt(5));
                }
            }
            int last = spans.isEmpty() ? 1 : random.nextInt(4);
            List<Long> kept = kept(new RetentionPolicy(last, spans, ZoneOffset.UTC), series);
            assertThat(kept).isEqualTo(reference(last, spans, series)).first().isEqualTo((long) series.size());
        }
    }

    /** Says of each snapshot by itself how many of what lie above it. */
    private static List<Long> reference(int last, Map<Period, Integer> spans, List<SnapshotInfo> series) {
        List<Long> kept = new ArrayList<>();
        for (int i = series.size() - 1; i >= 0; i--) {
            List<SnapshotInfo> newer = series.subList(i + 1, series.size());
            boolean keep = newer.size() < last;
            for (Map.Entry<Period, Integer> rule : spans.entrySet()) {
                String own = span(rule.getKey(), series.get(i));
                List<String> above = newer.stream()
                        .map(each -> span(rule.getKey(), each))
                        .distinct()
                        .toList();
                keep |= above.size() < rule.getValue() && !above.contains(own);
            }
            if (keep) {
                kept.add(series.get(i).id());
            }
        }
        return kept;
    }

    private static String span(Period period, SnapshotInfo snapshot) {
        return period.spanOf(snapshot.received().atZone(ZoneOffset.UTC));
    }

    @Test
    void allOfATimeBeforeTheNewestAreKept() {
        RetentionPolicy week = new RetentionPolicy(0, Duration.ofDays(7), Map.of(), ZoneOffset.UTC);
        List<SnapshotInfo> daily = daily(20);
        assertThat(kept(week, daily)).containsExactly(20L, 19L, 18L, 17L, 16L, 15L, 14L);
    }

    private static List<SnapshotInfo> daily(int count) {
        List<SnapshotInfo> daily = new ArrayList<>();
        Instant first = Instant.parse("2025-01-01T02:00:00Z");
        for (int i = 0; i < count; i++) {
            daily.add(snapshot(i + 1, first.plus(Duration.ofDays(i))));
        }
        return daily;
    }

    @Test
    void aForecastGoesOnAsTheBackupsCame() {
        RetentionPolicy policy =
                new RetentionPolicy(0, Map.of(Period.DAILY, 7, Period.MONTHLY, 12, Period.YEARLY, 10), ZoneOffset.UTC);
        RetentionForecast coming = RetentionForecast.of(policy, daily(3), 5);
        assertThat(coming.every()).isEqualTo(Duration.ofDays(1));
        assertThat(coming.kept()).hasSize(5).allSatisfy(count -> assertThat(count)
                .isBetween(18, 29));
        assertThat(coming.kept()).isSorted();
        assertThat(RetentionForecast.of(new RetentionPolicy(4, Map.of(), ZoneOffset.UTC), daily(3), 2)
                        .kept())
                .containsExactly(4, 4);
    }
}
