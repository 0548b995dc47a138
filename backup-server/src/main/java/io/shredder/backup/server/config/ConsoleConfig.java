// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the console is. It shows names of images, so that only this machine's own users reach it without a certificate.
 *
 * @param listen address and port
 * @param access who else may look; empty on a loopback address
 * @param restoreTo the folder to which people with the right restore; empty if nobody does
 */
public record ConsoleConfig(HostPort listen, Optional<Access> access, Optional<Path> restoreTo) {

    private static final HostPort USUAL = new HostPort("127.0.0.1", 7425);
    private static final List<String> FILES = List.of("certificate", "key", "authority");

    /**
     * Who is let in: people whom the authority has given a certificate, if they are named here, too.
     *
     * @param tls who the console is, and who signs people's certificates
     * @param people names (CN) in their certificates
     * @param actions what else than to look each of them may do; nothing, who is not in it
     */
    public record Access(TlsFiles tls, Set<String> people, Map<String, Set<ConsoleAction>> actions) {

        /** Keeps copies. */
        public Access {
            people = Set.copyOf(people);
            actions = Map.copyOf(actions);
        }
    }

    static ConsoleConfig read(ConfigSection section, Path folder) {
        HostPort listen = section.required("listen", HostPort::parse, USUAL);
        boolean named = FILES.stream().anyMatch(section::has) || ofPeople(section);
        Optional<Access> access = named ? Optional.of(access(section, folder)) : Optional.empty();
        if (!named && !Visitors.isLoopback(listen)) {
            section.problem(
                    "listen",
                    "'" + listen
                            + "' can be reached from other machines, and the console shows what is backed up: listen"
                            + " on 127.0.0.1, or name 'certificate', 'key', 'authority' and 'people'");
        }
        Optional<Path> restoreTo = section.optional("restore-to", folder::resolve);
        boolean restores = access.stream()
                .flatMap(granted -> granted.actions().values().stream())
                .anyMatch(words -> words.contains(ConsoleAction.RESTORE));
        if (restores && restoreTo.isEmpty()) {
            section.problem(
                    "actions",
                    "'console.actions' lets people restore, and nothing says where to: name a folder"
                            + " of theirs as 'console.restore-to'");
        }
        section.finish();
        return new ConsoleConfig(listen, access, restoreTo);
    }

    private static boolean ofPeople(ConfigSection section) {
        return section.has("people") || section.has("actions") || section.has("restore-to");
    }

    private static Access access(ConfigSection section, Path folder) {
        TlsFiles tls = new TlsFiles(
                section.required("certificate", folder::resolve, folder),
                section.required("key", folder::resolve, folder),
                section.required("authority", folder::resolve, folder));
        Optional<List<String>> people = section.list("people", text -> new SnapshotName(text).value(), "alice, bob");
        if (!section.has("people")) {
            section.problem("people", "'people' names nobody: name the CN of each certificate that may look");
        }
        Set<String> names = Set.copyOf(people.orElse(List.of()));
        return new Access(tls, names, actions(section, names));
    }

    private static Map<String, Set<ConsoleAction>> actions(ConfigSection section, Set<String> people) {
        Map<String, Set<ConsoleAction>> actions = new HashMap<>();
        section.section("actions", false).ifPresent(granted -> {
            for (String person : people) {
                granted.list(person, ConsoleAction::parse, "run, stop, pause")
                        .ifPresent(words -> actions.put(person, Set.copyOf(words)));
            }
            granted.finish();
        });
        return actions;
    }
}
