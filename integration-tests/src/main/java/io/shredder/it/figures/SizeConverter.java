// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size in bytes: a number with an optional k, m or g for powers of 1,024. */
public final class SizeConverter implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,18})([kmg]?)");

    @Override
    public Long convert(String text) {
        Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (size.matches()) {
            try {
                int shift = size.group(2).isEmpty() ? 0 : 10 * (1 + "kmg".indexOf(size.group(2)));
                return Math.multiplyExact(Long.parseLong(size.group(1)), 1L << shift);
            } catch (ArithmeticException | NumberFormatException e) {
                throw new TypeConversionException(refusal(text));
            }
        }
        throw new TypeConversionException(refusal(text));
    }

    private static String refusal(String text) {
        return "'" + text + "' is not a size: give bytes, or a number with k, m or g such as 256m";
    }
}
