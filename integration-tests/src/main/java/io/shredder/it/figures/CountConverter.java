// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many, as {@code 500k} or {@code 10m}: thousands or millions. */
public final class CountConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        String digits = text.replaceAll("[km]$", "");
        if (!digits.matches("[1-9][0-9]{0,9}")) {
            throw new TypeConversionException("'" + text + "' is not a number such as 500k or 10m");
        }
        return Long.parseLong(digits) * (text.endsWith("k") ? 1000 : text.endsWith("m") ? 1_000_000 : 1);
    }
}
