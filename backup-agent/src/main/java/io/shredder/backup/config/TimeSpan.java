// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as the configuration and options write them. */
public final class TimeSpan {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

    private TimeSpan() {}

    /** Reads a number with s, m, h or d behind it. */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a length of time: use s, m, h or d behind a number, such as 10m");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    /** The same, but not 0: a limit. */
    public static Duration positive(String text) {
        Duration time = parse(text);
        if (time.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is no time at all: use at least 1s");
        }
        return time;
    }
}
