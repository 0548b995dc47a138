// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.config.ConfigReader;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.protocol.SnapshotName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

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

    private final Map<SnapshotName, ClientAccess> named = new HashMap<>();

    private AccessParser() {}

    static AccessRules parse(String text, Path file) throws ConfigException {
        return ConfigReader.read(file, text, root -> new AccessParser().rules(root));
    }

    private AccessRules rules(ConfigSection root) {
        root.section("clients", false).ifPresent(clients -> clients.sections().forEach(this::client));
        Optional<AccessRules.Grant> others = root.section("others", false).map(AccessParser::others);
        root.finish();
        return new AccessRules(named, others);
    }

    private static AccessRules.Grant others(ConfigSection section) {
        AccessRules.Grant grant = grant(section);
        section.finish();
        return grant;
    }

    private void client(String key, ConfigSection section) {
        Optional<SnapshotName> client = name(key, section);
        Optional<SnapshotName> namespace = section.optional("namespace", SnapshotName::new);
        AccessRules.Grant grant = grant(section);
        client.ifPresent(name -> named.put(name, grant.to(name, namespace.orElse(name))));
        section.finish();
    }

    private static Optional<SnapshotName> name(String text, ConfigSection section) {
        try {
            return Optional.of(new SnapshotName(text));
        } catch (IllegalArgumentException e) {
            section.problem("a client's " + e.getMessage());
            return Optional.empty();
        }
    }

    private static AccessRules.Grant grant(ConfigSection section) {
        return new AccessRules.Grant(
                rights(section),
                section.optional("quota", ByteSize::parse)
                        .map(size -> OptionalLong.of(size.bytes()))
                        .orElse(OptionalLong.empty()),
                section.value("min-age-days", AccessParser::days, Duration.ZERO));
    }

    private static Set<Right> rights(ConfigSection section) {
        if (!section.has("rights")) {
            section.problem("rights are missing: give some of append, restore, prune");
        }
        Optional<List<Right>> rights = section.list("rights", AccessParser::right, "append, restore");
        Set<Right> granted = EnumSet.noneOf(Right.class);
        rights.ifPresent(granted::addAll);
        return granted;
    }

    private static Right right(String word) {
        return Right.parse(word)
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + word + "' is no right: use append, restore or prune"));
    }

    private static Duration days(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > MAX_DAYS) {
            throw new IllegalArgumentException("'" + text + "' is not a number of days from 0 to " + MAX_DAYS);
        }
        return Duration.ofDays(Integer.parseInt(text));
    }
}
