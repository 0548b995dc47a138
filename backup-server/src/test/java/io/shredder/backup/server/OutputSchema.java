// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** {@code docs/formats/output.schema.json}, to which every test that has a command print JSON holds what it prints. */
final class OutputSchema {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FILE = Path.of("../docs/formats/output.schema.json");
    private static final Map<String, JsonSchema> COMMANDS = new ConcurrentHashMap<>();

    private OutputSchema() {}

    /** Fails if a command was asked for JSON and has printed a line of it that the document does not have. */
    static void check(List<String> words, String out) {
        if (!words.contains("--json")) {
            return;
        }
        out.lines().filter(line -> line.startsWith("{")).forEach(line -> check(words.get(0), line));
    }

    private static void check(String command, String line) {
        try {
            assertThat(COMMANDS.computeIfAbsent(command, OutputSchema::of).validate(JSON.readTree(line)))
                    .as("%s --json: %s", command, line)
                    .isEmpty();
        } catch (IOException e) {
            throw new AssertionError(command + " --json prints no JSON: " + line, e);
        }
    }

    private static JsonSchema of(String command) {
        try {
            JsonNode document = JSON.readTree(Files.readAllBytes(FILE));
            assertThat(document.at("/$defs/commands").has(command))
                    .as("%s has no '%s'", FILE, command)
                    .isTrue();
            ObjectNode schema = JSON.createObjectNode().put("$ref", "#/$defs/commands/" + command);
            schema.set("$defs", document.path("$defs"));
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(
                            schema,
                            SchemaValidatorsConfig.builder()
                                    .formatAssertionsEnabled(true)
                                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
