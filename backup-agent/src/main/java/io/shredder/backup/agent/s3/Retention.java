// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * For how long the object store refuses to delete what is written.
 *
 * @param time from each write, and from each collection that finds it alive
 * @param mode who may end it before
 */
public record Retention(Duration time, Mode mode) {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,5})d");
    private static final long MOST_DAYS = 36_500;

    /** Who may delete before the time is over. */
    public enum Mode {
        /** Nobody: not the bucket's owner either. */
        COMPLIANCE,
        /** Whoever has the permission {@code s3:BypassGovernanceRetention}. */
        GOVERNANCE;

        /** By its name in small letters. */
        public static Mode parse(String text) {
            for (Mode mode : values()) {
                if (mode.toString().equals(text)) {
                    return mode;
                }
            }
            throw new IllegalArgumentException("'" + text + "' is not a mode: use compliance or governance");
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Reads a number of days, such as {@code 30d}. */
    public static Duration parseTime(String text) {
        Matcher matcher = FORM.matcher(text);
        long days = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        if (days < 1 || days > MOST_DAYS) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time of retention: use days from 1d to " + MOST_DAYS + "d, such as 30d");
        }
        return Duration.ofDays(days);
    }
}
