// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.console.ApiDocument;
import java.io.IOException;

/** Holds answers beside the OpenAPI document of the daemon. */
public final class ApiSchema {

    private static final ApiDocument DOCUMENT = new ApiDocument(ConsoleSite.class);

    private ApiSchema() {}

    /** The document as it is in the jar. */
    public static JsonNode document() throws IOException {
        return DOCUMENT.json();
    }

    /**
     * The answer as JSON, once it is as the document has it.
     *
     * @param path of the document, such as {@code /images/{name}}
     */
    public static JsonNode checked(String path, int status, String answer) throws IOException {
        return DOCUMENT.checked(path, status, answer);
    }

    /** The same of another method, in lower case. */
    public static JsonNode checked(String method, String path, int status, String answer) throws IOException {
        return DOCUMENT.checked(method, path, status, answer);
    }
}
