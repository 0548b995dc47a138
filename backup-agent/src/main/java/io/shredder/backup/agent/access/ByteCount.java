// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in the file of rights. */
final class ByteCount {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([kmgt]?)");

    private ByteCount() {}

    /** A number of bytes, or of powers of 1024 with k, m, g or t behind it; at least 1. */
    static Optional<Long> parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            return Optional.empty();
        }
        int power = " kmgt".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
        return Optional.of(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power)));
    }
}
