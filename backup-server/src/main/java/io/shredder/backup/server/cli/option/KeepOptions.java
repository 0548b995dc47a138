// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.retention.Period;
import io.shredder.backup.server.retention.RetentionPolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The rules of a {@link RetentionPolicy} as options. */
public final class KeepOptions {

    @Option(names = "--keep-last", paramLabel = "N", description = "Keep the newest N.")
    private @Nullable Integer last;

    @Option(names = "--keep-hourly", paramLabel = "N", description = "Keep the last of N hours that have any.")
    private @Nullable Integer hourly;

    @Option(names = "--keep-daily", paramLabel = "N", description = "Keep the last of N days that have any.")
    private @Nullable Integer daily;

    @Option(names = "--keep-weekly", paramLabel = "N", description = "Keep the last of N weeks (ISO 8601).")
    private @Nullable Integer weekly;

    @Option(names = "--keep-monthly", paramLabel = "N", description = "Keep the last of N months.")
    private @Nullable Integer monthly;

    @Option(names = "--keep-yearly", paramLabel = "N", description = "Keep the last of N years.")
    private @Nullable Integer yearly;

    @Option(
            names = "--keep-within",
            paramLabel = "TIME",
            description = "Keep all that were received within this time of the newest, such as 14d or 36h.")
    private @Nullable String within;

    @Option(
            names = "--time-zone",
            defaultValue = "UTC",
            paramLabel = "ZONE",
            description = "Whose calendar counts, such as Europe/Berlin (default: ${DEFAULT-VALUE}).")
    private String zone = "UTC";

    /** Whether there is any rule. */
    public boolean isGiven() {
        return last != null || within != null || !spans().isEmpty();
    }

    /**
     * The policy.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public RetentionPolicy policy() {
        if (last != null && last < 1) {
            throw new IllegalArgumentException("--keep-last " + last + " is below 1");
        }
        return new RetentionPolicy(
                last == null ? 0 : last, within == null ? Duration.ZERO : TimeSpan.parse(within), spans(), zoneId());
    }

    private ZoneId zoneId() {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + zone + "' is no time zone: use a name such as Europe/Berlin", e);
        }
    }

    private Map<Period, Integer> spans() {
        Map<Period, Integer> spans = new EnumMap<>(Period.class);
        put(spans, Period.HOURLY, hourly);
        put(spans, Period.DAILY, daily);
        put(spans, Period.WEEKLY, weekly);
        put(spans, Period.MONTHLY, monthly);
        put(spans, Period.YEARLY, yearly);
        return spans;
    }

    private static void put(Map<Period, Integer> spans, Period period, @Nullable Integer count) {
        if (count != null) {
            spans.put(period, count);
        }
    }
}
