// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of JSON. Written without the half of Jackson that looks into classes: it takes longer to start than many a
 * command takes in all.
 */
public final class Json {

    private static final int PRINTED_CHARACTERS = 1 << 16;
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /**
     * The line; keys stay in their order.
     *
     * @param value a map, or something that can be gone through, of such; a number, a truth value or null; anything
     *     else is written as its text
     */
    public static String line(Object value) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(line)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException("a string takes all that is written", e);
        }
        return line.toString();
    }

    /** Prints the line, which is not in memory as a whole: what it holds may be made while it is gone through. */
    public static void print(Object value) {
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), PRINTED_CHARACTERS);
        try {
            try (JsonGenerator json = FACTORY.createGenerator(out)) {
                json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
                write(json, value);
            }
            out.write(System.lineSeparator());
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("standard output does not take the result", e);
        }
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof Iterable<?> all) {
            json.writeStartArray();
            for (Object each : all) {
                write(json, each);
            }
            json.writeEndArray();
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            json.writeObject(value);
        } else {
            json.writeString(value.toString());
        }
    }
}
