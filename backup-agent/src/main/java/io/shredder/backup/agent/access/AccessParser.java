// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.protocol.SnapshotName;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads rights from YAML and finds all that is wrong at once.
 *
 * <pre>
 * clients:
 *   site1:
 *     rights: [append, restore]
 *     quota: 2t              # optional; all images of its snapshots together
 *   site1-admin:
 *     namespace: site1       # optional; its own name otherwise
 *     rights: [restore, prune]
 *     min-age-days: 7        # optional; younger snapshots can't be pruned
 * others:                    # optional; clients that are not named are refused without it
 *   rights: [append]
 * </pre>
 */
final class AccessParser {

    private static final int MAX_DAYS = 36_500;

    private final YamlProblems problems;
    private final Map<SnapshotName, ClientAccess> named = new HashMap<>();

    private AccessParser(String file) {
        this.problems = new YamlProblems(file);
    }

    static AccessRules parse(String text, String file) throws IOException {
        Node root;
        try {
            root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new IOException(file + ":" + line + ": " + e.getProblem());
        } catch (YAMLException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        if (root == null) {
            throw new IOException(file + ":1: it is empty: name clients and their rights");
        }
        return new AccessParser(file).rules(root);
    }

    private AccessRules rules(Node root) throws IOException {
        Map<String, Node> sections = problems.mapping(root, "the file", Set.of("clients", "others"));
        Node clients = sections.get("clients");
        if (clients != null) {
            problems.mapping(clients, "clients", Set.of()).forEach(this::client);
        }
        Node others = sections.get("others");
        Optional<AccessRules.Grant> grant = others == null
                ? Optional.empty()
                : Optional.of(grant(others, problems.mapping(others, "others", keys(false))));
        problems.throwIfAny();
        return new AccessRules(named, grant);
    }

    private static Set<String> keys(boolean client) {
        return client
                ? Set.of("rights", "quota", "min-age-days", "namespace")
                : Set.of("rights", "quota", "min-age-days");
    }

    private void client(String key, Node node) {
        Map<String, Node> fields = problems.mapping(node, key, keys(true));
        SnapshotName client = name(key, node);
        Node namespaceNode = fields.get("namespace");
        SnapshotName namespace =
                namespaceNode == null ? client : name(problems.scalar(namespaceNode, "namespace"), namespaceNode);
        AccessRules.Grant grant = grant(node, fields);
        if (client != null && namespace != null) {
            named.put(client, grant.to(client, namespace));
        }
    }

    private @Nullable SnapshotName name(String text, Node node) {
        try {
            return new SnapshotName(text);
        } catch (IllegalArgumentException e) {
            problems.add(node, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private AccessRules.Grant grant(Node owner, Map<String, Node> fields) {
        Node rights = fields.get("rights");
        if (rights == null) {
            problems.add(owner, "rights are missing: give some of append, restore, prune");
        }
        Node quota = fields.get("quota");
        Node minAge = fields.get("min-age-days");
        return new AccessRules.Grant(
                rights == null ? EnumSet.allOf(Right.class) : rights(rights),
                quota == null ? OptionalLong.empty() : quota(quota),
                minAge == null ? Duration.ZERO : minAge(minAge));
    }

    private Set<Right> rights(Node node) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        List<Node> words = problems.sequence(node, "rights");
        for (Node word : words) {
            String text = problems.scalar(word, "right");
            Right.parse(text)
                    .ifPresentOrElse(
                            rights::add,
                            () -> problems.add(word, "'" + text + "' is no right: use append, restore or prune"));
        }
        if (words.isEmpty()) {
            problems.add(node, "no rights: to refuse a client leave it out, and leave out 'others'");
        }
        return rights;
    }

    private OptionalLong quota(Node node) {
        Optional<Long> bytes = ByteCount.parse(problems.scalar(node, "quota"));
        if (bytes.isEmpty()) {
            problems.add(
                    node,
                    "'" + problems.scalar(node, "quota") + "' is not a size: use bytes, or k, m, g, t behind "
                            + "a number, such as 500g");
            return OptionalLong.empty();
        }
        return OptionalLong.of(bytes.get());
    }

    private Duration minAge(Node node) {
        String text = problems.scalar(node, "min-age-days");
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > MAX_DAYS) {
            problems.add(node, "min-age-days '" + text + "' is not a number of days from 0 to " + MAX_DAYS);
            return Duration.ZERO;
        }
        return Duration.ofDays(Integer.parseInt(text));
    }

    /** What is wrong in a file, collected. */
    private static final class YamlProblems {

        private final String file;
        private final Map<String, Integer> lines = new LinkedHashMap<>();

        YamlProblems(String file) {
            this.file = file;
        }

        void add(Node node, String problem) {
            lines.putIfAbsent(file + ":" + (node.getStartMark().getLine() + 1) + ": " + problem, 0);
        }

        void throwIfAny() throws IOException {
            if (!lines.isEmpty()) {
                throw new IOException(String.join("; ", lines.keySet()));
            }
        }

        /** Keys and values; unknown keys are reported unless {@code allowed} is empty, double ones always. */
        Map<String, Node> mapping(Node node, String what, Set<String> allowed) {
            Map<String, Node> fields = new LinkedHashMap<>();
            if (!(node instanceof org.yaml.snakeyaml.nodes.MappingNode mapping)) {
                add(node, what + " is not a list of keys and values");
                return fields;
            }
            for (org.yaml.snakeyaml.nodes.NodeTuple tuple : mapping.getValue()) {
                String key = scalar(tuple.getKeyNode(), "key");
                if (!allowed.isEmpty() && !allowed.contains(key)) {
                    add(
                            tuple.getKeyNode(),
                            "'" + key + "' is unknown in " + what + ": use "
                                    + String.join(
                                            ", ", allowed.stream().sorted().toList()));
                } else if (fields.put(key, tuple.getValueNode()) != null) {
                    add(tuple.getKeyNode(), "'" + key + "' is there twice");
                }
            }
            return fields;
        }

        List<Node> sequence(Node node, String what) {
            if (node instanceof org.yaml.snakeyaml.nodes.SequenceNode sequence) {
                return sequence.getValue();
            }
            add(node, what + " is not a list: write [append, restore]");
            return List.of(node);
        }

        String scalar(Node node, String what) {
            if (node instanceof org.yaml.snakeyaml.nodes.ScalarNode scalar) {
                return scalar.getValue();
            }
            add(node, what + " is not a single word");
            return "";
        }
    }
}
