// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.server.source.Extent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A list of changed ranges as other programs write it: objects of JSON with {@code offset} and {@code length}, as an
 * array or a line each, or lines of text that begin with both numbers, under a line of headings or not. So {@code rbd
 * diff} writes, in either form. Bytes.
 */
final class ChangeList {

    private static final Pattern LINE = Pattern.compile("\\s*([0-9]{1,18})\\s+([0-9]{1,18})(\\s.*)?");
    private static final Pattern HEADINGS = Pattern.compile("(?i)\\s*offset\\s+length(\\s.*)?");
    private static final int PEEKED = 64;

    private ChangeList() {}

    /**
     * Reads one up to its end.
     *
     * @param name of it, for errors
     * @throws IOException naming what is no range, and where
     */
    static ChangedRanges read(Reader from, String name) throws IOException {
        BufferedReader in = new BufferedReader(from);
        in.mark(PEEKED);
        int first = in.read();
        for (int i = 1; i < PEEKED && first >= 0 && Character.isWhitespace(first); i++) {
            first = in.read();
        }
        in.reset();
        return ChangedRanges.of(first == '[' || first == '{' ? json(in, name) : text(in, name));
    }

    private static List<Extent> json(BufferedReader in, String name) throws IOException {
        List<Extent> ranges = new ArrayList<>();
        try (MappingIterator<JsonNode> values =
                new ObjectMapper().readerFor(JsonNode.class).readValues(in)) {
            while (values.hasNextValue()) {
                JsonNode value = values.nextValue();
                JsonNode offset = value.path("offset");
                JsonNode length = value.path("length");
                if (!offset.canConvertToLong()
                        || !length.canConvertToLong()
                        || !offset.isIntegralNumber()
                        || !length.isIntegralNumber()
                        || offset.asLong() < 0
                        || length.asLong() < 0
                        || offset.asLong() > Long.MAX_VALUE - length.asLong()) {
                    throw new IOException(name + ": " + value + " is no range: give 'offset' and 'length' in bytes");
                }
                add(ranges, offset.asLong(), length.asLong());
            }
        } catch (JsonProcessingException e) {
            throw new IOException(name + ": it is no JSON: " + e.getOriginalMessage(), e);
        }
        return ranges;
    }

    private static List<Extent> text(BufferedReader in, String name) throws IOException {
        List<Extent> ranges = new ArrayList<>();
        int number = 1;
        for (String line = in.readLine(); line != null; line = in.readLine(), number++) {
            Matcher range = LINE.matcher(line);
            if (range.matches()) {
                add(ranges, Long.parseLong(range.group(1)), Long.parseLong(range.group(2)));
            } else if (!line.isBlank()
                    && !(number == 1 && HEADINGS.matcher(line).matches())) {
                throw new IOException(name + ":" + number + ": '" + line.strip()
                        + "' is no range: write its offset and length in bytes");
            }
        }
        return ranges;
    }

    private static void add(List<Extent> ranges, long offset, long length) {
        if (length > 0) {
            ranges.add(new Extent(offset, length));
        }
    }
}
