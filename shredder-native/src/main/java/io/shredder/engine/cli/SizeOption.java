// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes as a user writes it: {@code 4096}, {@code 64k}, {@code 8M}, {@code 1GiB}; units are powers of 1024.
 *
 * @param bytes not negative
 */
record SizeOption(long bytes) {

    private static final Pattern FORMAT = Pattern.compile("(\\d{1,12})(?:([kmg])(?:i?b)?)?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "kmg";

    static SizeOption parse(String text) {
        Matcher matcher = FORMAT.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size: write 4096, 64k, 8m or 1g");
        }
        String unit = matcher.group(2);
        int shift = unit == null ? 0 : 10 * (1 + UNITS.indexOf(unit.toLowerCase(Locale.ROOT)));
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is too large a size");
        }
        return new SizeOption(number << shift);
    }

    /** With a unit, such as {@code 8.2 KiB}. */
    static String format(double bytes) {
        String[] names = {"B", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < names.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, names[unit]);
    }

    static String format(long bytes) {
        return format((double) bytes);
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<SizeOption> {
        @Override
        public SizeOption convert(String value) {
            return parse(value);
        }
    }
}
