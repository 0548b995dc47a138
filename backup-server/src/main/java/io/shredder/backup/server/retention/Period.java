// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.retention;

import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Spans of the calendar of which a policy keeps the last snapshot each. */
public enum Period {
    /** An hour of the clock. */
    HOURLY,
    /** A day. */
    DAILY,
    /** A week from Monday on, ISO 8601. */
    WEEKLY,
    /** A month. */
    MONTHLY,
    /** A year. */
    YEARLY;

    /** Two times have the same span if and only if these texts are equal. */
    String spanOf(ZonedDateTime time) {
        return switch (this) {
            // With its offset: an hour that the clock shows twice is two.
            case HOURLY -> time.truncatedTo(ChronoUnit.HOURS).toOffsetDateTime().toString();
            case DAILY -> time.toLocalDate().toString();
            case WEEKLY -> time.get(IsoFields.WEEK_BASED_YEAR) + "-W" + time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case MONTHLY -> time.getYear() + "-" + time.getMonthValue();
            case YEARLY -> String.valueOf(time.getYear());
        };
    }

    /** Its name in options and reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
