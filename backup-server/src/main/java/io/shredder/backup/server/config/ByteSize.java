// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size on the command line or in the configuration.
 *
 * @param bytes at least 1
 */
public record ByteSize(long bytes) {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,12})([kmg]?)");

    /** Reads a number of bytes, or of powers of 1024 with k, m or g behind it. */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException("'" + text + "' is not a size: use bytes, or k, m, g, such as 64k");
        }
        int power = " kmg".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
        return new ByteSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power)));
    }
}
