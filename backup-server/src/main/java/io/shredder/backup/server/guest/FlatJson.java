// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One object of JSON without others inside, from a side that is not trusted. Immutable. */
final class FlatJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, Object> values;

    private FlatJson(Map<String, Object> values) {
        this.values = values;
    }

    /**
     * Parses it.
     *
     * @throws IOException if it is none, or has an object or a list inside
     */
    static FlatJson parse(byte[] bytes) throws IOException {
        Map<String, Object> values = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, "no object");
            for (JsonToken name = parser.nextToken(); name == JsonToken.FIELD_NAME; name = parser.nextToken()) {
                String key = parser.currentName();
                JsonToken token = parser.nextToken();
                switch (token) {
                    case VALUE_STRING -> values.put(key, parser.getText());
                    case VALUE_NUMBER_INT -> values.put(key, parser.getLongValue());
                    case VALUE_TRUE, VALUE_FALSE -> values.put(key, token == JsonToken.VALUE_TRUE);
                    case VALUE_NULL -> values.remove(key);
                    default -> throw new IOException("the reader of files said " + key + " in a form it has not");
                }
            }
            require(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null, "no end");
        }
        return new FlatJson(values);
    }

    private static void require(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException("the reader of files said no object of JSON: " + what);
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    String text(String key) throws IOException {
        return value(key, String.class, null);
    }

    String text(String key, String otherwise) throws IOException {
        return value(key, String.class, otherwise);
    }

    long number(String key) throws IOException {
        return value(key, Long.class, null);
    }

    boolean truth(String key) throws IOException {
        return value(key, Boolean.class, false);
    }

    private <T> T value(String key, Class<T> type, @Nullable T otherwise) throws IOException {
        Object found = values.get(key);
        if (found == null && otherwise != null) {
            return otherwise;
        }
        if (!type.isInstance(found)) {
            throw new IOException("the reader of files said no proper '" + key + "'");
        }
        return type.cast(found);
    }
}
