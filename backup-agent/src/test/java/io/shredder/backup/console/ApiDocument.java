// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;

/** Holds answers of a console beside its OpenAPI document. */
public final class ApiDocument {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Class<?> site;

    /** @param site that has the document beside it in the jar */
    public ApiDocument(Class<?> site) {
        this.site = site;
    }

    /** The document as it is in the jar. */
    public JsonNode json() throws IOException {
        try (InputStream in = site.getResourceAsStream("openapi.json")) {
            return JSON.readTree(in);
        }
    }

    /**
     * The answer as JSON, once it is as the document has it.
     *
     * @param path of the document, such as {@code /images/{name}}
     */
    public JsonNode checked(String path, int status, String answer) throws IOException {
        return checked("get", path, status, answer);
    }

    /** The same of another method, in lower case. */
    public JsonNode checked(String method, String path, int status, String answer) throws IOException {
        JsonNode document = json();
        JsonNode response = document.at("/paths").path(path).at("/" + method + "/responses/" + status);
        if (response.has("$ref")) {
            response = document.at(response.path("$ref").asText().substring(1));
        }
        String reference = response.at("/content/application~1json/schema/$ref").asText();
        assertThat(reference).as("schema of %s %s", path, status).startsWith("#/components/schemas/");
        JsonNode json = JSON.readTree(answer);
        JsonNode schema = JSON.createObjectNode().put("$ref", reference).set("components", document.path("components"));
        SchemaValidatorsConfig strict =
                SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(schema, strict)
                        .validate(json))
                .as(answer)
                .isEmpty();
        return json;
    }
}
