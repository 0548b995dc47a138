// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size on the command line or in a configuration.
 *
 * @param bytes at least 1
 */
public record ByteSize(long bytes) {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,12})([kmgt]?)");

    /** Reads a number of bytes, or of powers of 1024 with k, m, g or t behind it. */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size: use bytes, or k, m, g, t behind a number, such as 64k");
        }
        int power = " kmgt".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> (10 * power)) {
            throw new IllegalArgumentException("'" + text + "' is too large a size");
        }
        return new ByteSize(number << (10 * power));
    }
}
