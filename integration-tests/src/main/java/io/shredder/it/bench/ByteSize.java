// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size in bytes, as Hadoop does: a number with an optional k, m or g for powers of 1,024. */
public final class ByteSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            long bytes = TraditionalBinaryPrefix.string2long(text);
            if (bytes > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(refusal(text));
        }
        throw new TypeConversionException(refusal(text));
    }

    private static String refusal(String text) {
        return "'" + text + "' is not a size: give bytes, or a number with k, m or g such as 256m";
    }
}
