// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.server.config.AlertForm;

/**
 * An alert as a webhook takes it.
 *
 * @param contentType of the text
 * @param text all of it
 */
record AlertBody(String contentType, String text) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    static AlertBody of(AlertForm form, Alert alert, String site) {
        String line = "[" + site + "] " + alert.line();
        return switch (form) {
            case JSON -> json(alert.json(site));
            case SLACK -> json(MAPPER.createObjectNode().put("text", line).toString());
            case MATRIX ->
                json(MAPPER.createObjectNode()
                        .put("text", line)
                        .put("username", "Shredder backup")
                        .toString());
            case NTFY -> new AlertBody("text/plain; charset=utf-8", line);
        };
    }

    private static AlertBody json(String text) {
        return new AlertBody("application/json", text);
    }
}
