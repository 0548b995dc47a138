// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.retention.Period;
import io.shredder.backup.server.retention.RetentionPolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Reads a job's section {@code keep}: rules of retention by the names of {@code prune}'s options. */
final class KeepReader {

    private KeepReader() {}

    static Optional<RetentionPolicy> read(ConfigSection job) {
        return job.section("keep", false).flatMap(KeepReader::policy);
    }

    private static Optional<RetentionPolicy> policy(ConfigSection keep) {
        Map<Period, Integer> spans = new EnumMap<>(Period.class);
        for (Period period : Period.values()) {
            keep.optional(period.word(), KeepReader::count).ifPresent(count -> spans.put(period, count));
        }
        int last = keep.value("last", KeepReader::count, 0);
        Duration within = keep.value("within", TimeSpan::positive, Duration.ZERO);
        ZoneId zone = keep.value("time-zone", KeepReader::zone, ZoneOffset.UTC);
        keep.finish();
        try {
            return Optional.of(new RetentionPolicy(last, within, spans, zone));
        } catch (IllegalArgumentException e) {
            keep.problem(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static int count(String text) {
        if (!text.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to 99999");
        }
        return Integer.parseInt(text);
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time zone: use one such as Europe/Berlin or UTC", e);
        }
    }
}
