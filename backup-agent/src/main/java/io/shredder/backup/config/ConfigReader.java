// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a configuration's text and finds all that is wrong with it at once. */
public final class ConfigReader {

    private static final int MAX_ALIASES = 50;

    private ConfigReader() {}

    /**
     * Reads a text.
     *
     * @param file for errors
     * @param reader takes what it wants from the whole file and finishes it
     * @throws ConfigException naming every problem with its line and column
     */
    public static <T> T read(Path file, String text, Function<ConfigSection, T> reader) throws ConfigException {
        ConfigSection.Problems problems = new ConfigSection.Problems(file.toString());
        Optional<Node> root = compose(text, problems);
        if (root.isEmpty() && problems.found().isEmpty()) {
            problems.add(1, 1, "the configuration is empty");
        }
        Optional<T> read = root.map(node -> reader.apply(new ConfigSection("", node, problems)));
        if (read.isEmpty() || !problems.found().isEmpty()) {
            throw new ConfigException(file.toString(), problems.found());
        }
        return read.get();
    }

    private static Optional<Node> compose(String text, ConfigSection.Problems problems) {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .build();
        try {
            return new Compose(settings).composeString(text);
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark();
            problems.add(
                    mark.map(at -> at.getLine() + 1).orElse(1),
                    mark.map(at -> at.getColumn() + 1).orElse(1),
                    "not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            problems.add(1, 1, "not YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " "));
        }
        return Optional.empty();
    }
}
