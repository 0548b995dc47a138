// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * One mapping of a configuration. Whoever reads it asks for each key that there may be, then calls {@link #finish},
 * which finds those that nobody asked for. What is wrong is noted with its line and replaced by something harmless, so
 * that one pass finds everything.
 */
public final class ConfigSection {

    private final String name;
    private final Node at;
    private final Problems problems;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();

    /** What is wrong, with its place. */
    static final class Problems {
        private final String file;
        private final List<String> found = new ArrayList<>();

        Problems(String file) {
            this.file = file;
        }

        void add(Node node, String what) {
            int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
            int column = node.getStartMark().map(mark -> mark.getColumn() + 1).orElse(1);
            add(line, column, what);
        }

        void add(int line, int column, String what) {
            found.add(file + ":" + line + ":" + column + ": " + what);
        }

        List<String> found() {
            return found;
        }
    }

    /**
     * A section.
     *
     * @param name as it is called in errors: the keys that lead there, or empty for the whole file
     */
    ConfigSection(String name, Node node, Problems problems) {
        this.name = name;
        this.at = node;
        this.problems = problems;
        if (!(node instanceof MappingNode mapping)) {
            problems.add(node, quoted(name) + " should hold keys and their values");
            return;
        }
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                problems.add(entry.getKeyNode(), "a key should be a word");
            } else if (entries.putIfAbsent(key.getValue(), entry) != null) {
                problems.add(key, "key '" + path(key.getValue()) + "' is there twice");
            }
        }
    }

    private static String quoted(String name) {
        return name.isEmpty() ? "the configuration" : "'" + name + "'";
    }

    private String path(String key) {
        return name.isEmpty() ? key : name + "." + key;
    }

    private Optional<Node> node(String key) {
        asked.add(key);
        return Optional.ofNullable(entries.get(key)).map(NodeTuple::getValueNode);
    }

    /** Whether the key is there. */
    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Whether the key is there and has a single value. */
    public boolean isWord(String key) {
        return node(key).filter(ScalarNode.class::isInstance).isPresent();
    }

    /** A key's single value as it stands there; empty if it has none. */
    public String text(String key) {
        return node(key)
                .filter(ScalarNode.class::isInstance)
                .map(value -> ((ScalarNode) value).getValue())
                .orElse("");
    }

    /** All keys, in the file's order. */
    public List<String> keys() {
        return List.copyOf(entries.keySet());
    }

    /** Notes something wrong with a key's value, or with the section if the key isn't there. */
    public void problem(String key, String what) {
        problems.add(node(key).orElse(at), what);
    }

    /** Notes something wrong with the section. */
    public void problem(String what) {
        problems.add(at, what);
    }

    /** A section below; one that must be there is noted if it isn't. */
    public Optional<ConfigSection> section(String key, boolean required) {
        Optional<Node> node = node(key);
        if (node.isEmpty() && required) {
            problems.add(at, "'" + path(key) + "' is missing");
        }
        return node.map(value -> new ConfigSection(path(key), value, problems));
    }

    /** The sections that the keys of this one name. */
    public Map<String, ConfigSection> sections() {
        Map<String, ConfigSection> sections = new LinkedHashMap<>();
        for (String key : entries.keySet()) {
            node(key).ifPresent(node -> sections.put(key, new ConfigSection(path(key), node, problems)));
        }
        return sections;
    }

    /** A value that may be left out. */
    public <T> T value(String key, Function<String, T> parser, T otherwise) {
        return optional(key, parser).orElse(otherwise);
    }

    /** A value that must be there; the fallback only keeps the check going. */
    public <T> T required(String key, Function<String, T> parser, T fallback) {
        if (!has(key)) {
            problems.add(at, "'" + path(key) + "' is missing");
        }
        return optional(key, parser).orElse(fallback);
    }

    /**
     * A value, if it is there and right.
     *
     * @param parser throws IllegalArgumentException for what is wrong
     */
    public <T> Optional<T> optional(String key, Function<String, T> parser) {
        Optional<Node> node = node(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (!(node.get() instanceof ScalarNode scalar) || scalar.getValue().isEmpty()) {
            problems.add(node.get(), "'" + path(key) + "' should be a single value");
            return Optional.empty();
        }
        return parse(key, scalar, parser);
    }

    private <T> Optional<T> parse(String key, ScalarNode scalar, Function<String, T> parser) {
        try {
            return Optional.of(parser.apply(scalar.getValue()));
        } catch (IllegalArgumentException e) {
            problems.add(scalar, "'" + path(key) + "': " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * A list of at least one value, here without those that are wrong; nothing if it isn't there or no list.
     *
     * @param example of the list, for the error
     */
    public <T> Optional<List<T>> list(String key, Function<String, T> parser, String example) {
        Optional<Node> node = node(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (!(node.get() instanceof SequenceNode list)
                || !list.getValue().stream().allMatch(ScalarNode.class::isInstance)) {
            problems.add(node.get(), "'" + path(key) + "' should be a list of words: [" + example + "]");
            return Optional.empty();
        }
        if (list.getValue().isEmpty()) {
            problems.add(list, "'" + path(key) + "' is an empty list: write [" + example + "]");
        }
        return Optional.of(list.getValue().stream()
                .flatMap(word -> parse(key, (ScalarNode) word, parser).stream())
                .toList());
    }

    /** All keys have been asked for: others are mistakes. */
    public void finish() {
        entries.forEach((key, entry) -> {
            if (!asked.contains(key)) {
                String near = nearest(key);
                problems.add(
                        entry.getKeyNode(),
                        "unknown key '" + path(key) + "'" + (near == null ? "" : ": did you mean '" + near + "'?"));
            }
        });
    }

    private @Nullable String nearest(String key) {
        return asked.stream()
                .filter(known -> !entries.containsKey(known))
                .filter(known -> distance(key, known) <= 2)
                .min(java.util.Comparator.<String>comparingInt(known -> distance(key, known))
                        .thenComparing(java.util.Comparator.naturalOrder()))
                .orElse(null);
    }

    /** Levenshtein's. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int substitute = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
