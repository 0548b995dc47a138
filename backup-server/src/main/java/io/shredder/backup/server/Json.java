// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** One line of JSON. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static String line(Object value) throws IOException {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IOException("can't write JSON: " + e.getMessage(), e);
        }
    }
}
