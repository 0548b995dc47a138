// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;

/** Which manifest record format a job's input format reads ({@code docs/formats/manifest.md}, "What it says of the file"). */
public final class RecordFormats {

    private static final String LINES = "text";
    private static final String DELIMITER_KEY = "textinputformat.record.delimiter";

    private RecordFormats() {}

    /**
     * The record format that cuts must have been moved to.
     *
     * @throws PlainRunException if the job's delimiter can begin within itself, so that where records end depends on where
     *     one begins to look
     */
    static String of(Class<?> inputFormat, Configuration conf) throws PlainRunException {
        byte[] delimiter = delimiter(inputFormat, conf);
        if (delimiter.length == 0) {
            return LINES;
        }
        if (overlapsItself(delimiter)) {
            throw new PlainRunException("its record delimiter " + HexFormat.of().formatHex(delimiter)
                    + " (hexadecimal) can overlap itself");
        }
        return LINES + ":" + HexFormat.of().formatHex(delimiter);
    }

    /** The bytes that end a record; empty: LF, CR or CRLF. */
    public static byte[] delimiter(Class<?> inputFormat, Configuration conf) {
        String delimiter = inputFormat == KeyValueTextInputFormat.class ? null : conf.get(DELIMITER_KEY);
        return delimiter == null ? new byte[0] : delimiter.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean overlapsItself(byte[] delimiter) {
        String text = new String(delimiter, StandardCharsets.ISO_8859_1);
        for (int length = 1; length < text.length(); length++) {
            if (text.endsWith(text.substring(0, length))) {
                return true;
            }
        }
        return false;
    }
}
