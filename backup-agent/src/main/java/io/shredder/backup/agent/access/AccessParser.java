// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.config.ConfigReader;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.snapshot.SnapshotName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
 *   site1-second:
 *     namespace: site1
 *     rights: [confirm]
 *   agent1:
 *     rights: [keep]         # alone; may hold a keeper, and is nobody at an agent
 *   engine1:
 *     rights: [borrow]       # alone; may use a worker, and is nobody at an agent
 * others:                    # optional; clients that are not named are refused without it
 *   rights: [append]
 * namespaces:                # optional
 *   site1:
 *     delete-needs: confirm  # a deletion waits until a second client confirms it
 *     confirm-within-hours: 24
 * </pre>
 */
final class AccessParser {

    private static final int MAX_DAYS = 36_500;
    private static final int MAX_HOURS = 24 * 90;
    private static final Duration USUAL_CONFIRMATION = Duration.ofHours(24);

    private final Map<SnapshotName, ClientAccess> named = new HashMap<>();
    private final Map<SnapshotName, Duration> confirmed = new HashMap<>();

    private AccessParser() {}

    static AccessRules parse(String text, Path file) throws ConfigException {
        return ConfigReader.read(file, text, root -> new AccessParser().rules(root));
    }

    private AccessRules rules(ConfigSection root) {
        root.section("clients", false).ifPresent(clients -> clients.sections().forEach(this::client));
        Optional<AccessRules.Grant> others = root.section("others", false).map(AccessParser::others);
        boolean othersPrune =
                others.filter(grant -> grant.rights().contains(Right.PRUNE)).isPresent();
        root.section("namespaces", false)
                .ifPresent(all -> all.sections().forEach((key, section) -> namespace(key, section, othersPrune)));
        root.finish();
        return new AccessRules(named, others, confirmed);
    }

    private void namespace(String key, ConfigSection section, boolean othersPrune) {
        Optional<SnapshotName> name = name("a namespace's ", key, section);
        if (!section.has("delete-needs")) {
            section.problem("delete-needs is missing: write delete-needs: confirm, or leave the namespace out");
        }
        section.optional("delete-needs", AccessParser::confirm);
        Duration within = section.value("confirm-within-hours", AccessParser::hours, USUAL_CONFIRMATION);
        if (name.isPresent()) {
            confirmed.put(name.get(), within);
            checkConfirmers(name.get(), section, othersPrune);
        }
        section.finish();
    }

    /** A deletion that nobody could ever confirm is a mistake of whoever wrote the file. */
    private void checkConfirmers(SnapshotName namespace, ConfigSection section, boolean othersPrune) {
        Set<SnapshotName> confirmers = clients(namespace, Right.CONFIRM);
        Set<SnapshotName> pruners = new HashSet<>(clients(namespace, Right.PRUNE));
        if (othersPrune && !named.containsKey(namespace)) {
            pruners.add(namespace);
        }
        for (SnapshotName pruner : pruners) {
            if (confirmers.stream().allMatch(pruner::equals)) {
                section.problem("nobody could confirm what client " + pruner
                        + " deletes: give another client of the namespace the right confirm");
            }
        }
    }

    private Set<SnapshotName> clients(SnapshotName namespace, Right right) {
        return named.values().stream()
                .filter(client ->
                        client.namespace().equals(namespace) && client.rights().contains(right))
                .map(ClientAccess::client)
                .collect(Collectors.toSet());
    }

    private static String confirm(String text) {
        if (!text.equals("confirm")) {
            throw new IllegalArgumentException("'" + text + "' is nothing that a deletion can need: use confirm");
        }
        return text;
    }

    private static Duration hours(String text) {
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_HOURS) {
            throw new IllegalArgumentException("'" + text + "' is not a number of hours from 1 to " + MAX_HOURS);
        }
        return Duration.ofHours(Integer.parseInt(text));
    }

    private static AccessRules.Grant others(ConfigSection section) {
        AccessRules.Grant grant = grant(section);
        alone(grant)
                .ifPresent(right ->
                        section.problem("rights", right.word() + " is for clients that are named: name each of them"));
        section.finish();
        return grant;
    }

    private void client(String key, ConfigSection section) {
        Optional<SnapshotName> client = name("a client's ", key, section);
        Optional<SnapshotName> namespace = section.optional("namespace", SnapshotName::new);
        AccessRules.Grant grant = grant(section);
        boolean more = grant.rights().size() > 1
                || Stream.of("namespace", "quota", "min-age-days").anyMatch(section::has);
        if (more) {
            alone(grant)
                    .ifPresent(right -> section.problem(
                            right.word() + " stands alone: use a certificate of its own for what needs it"));
        }
        client.ifPresent(name -> named.put(name, grant.to(name, namespace.orElse(name))));
        section.finish();
    }

    /** The first that goes with no other. */
    private static Optional<Right> alone(AccessRules.Grant grant) {
        return grant.rights().stream().filter(Right::standsAlone).findFirst();
    }

    private static Optional<SnapshotName> name(String whose, String text, ConfigSection section) {
        try {
            return Optional.of(new SnapshotName(text));
        } catch (IllegalArgumentException e) {
            section.problem(whose + e.getMessage());
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
            section.problem("rights are missing: give some of append, restore, prune, confirm, or keep, or borrow");
        }
        Optional<List<Right>> rights = section.list("rights", AccessParser::right, "append, restore");
        Set<Right> granted = EnumSet.noneOf(Right.class);
        rights.ifPresent(granted::addAll);
        return granted;
    }

    private static Right right(String word) {
        return Right.parse(word)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + word + "' is no right: use append, restore, prune, confirm, keep or borrow"));
    }

    private static Duration days(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > MAX_DAYS) {
            throw new IllegalArgumentException("'" + text + "' is not a number of days from 0 to " + MAX_DAYS);
        }
        return Duration.ofDays(Integer.parseInt(text));
    }
}
