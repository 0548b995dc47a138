// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A file of rights as its text: a client is added, and all that somebody wrote stays as it is. */
public final class RightsText {

    /** What a new file says. */
    public static final String NEW =
            """
            # Who may do what at the agent; 'backup-agent invite' adds clients. Read again when it changes.
            clients: {}
            """;

    private static final Pattern CLIENTS = Pattern.compile("(?m)^clients:[ \\t]*(\\{[ \\t]*}[ \\t]*)?(#.*)?$");

    private RightsText() {}

    /**
     * Adds a client that is not named yet; one that is keeps what it has.
     *
     * @param namespace whose snapshots it sees, if not its own
     * @return whether it was added
     */
    public static boolean add(Path file, SnapshotName client, Set<Right> rights, Optional<SnapshotName> namespace)
            throws IOException {
        if (AccessFile.open(file).current().named().containsKey(client)) {
            return false;
        }
        String entry = "  " + client + ":\n"
                + namespace.map(of -> "    namespace: " + of + "\n").orElse("")
                + "    rights: [" + rights.stream().map(Right::word).collect(Collectors.joining(", ")) + "]\n";
        String text = Files.readString(file, StandardCharsets.UTF_8);
        Matcher clients = CLIENTS.matcher(text);
        if (!clients.find()) {
            throw new IOException(
                    file + " has no line 'clients:' to add " + client + " to; add there by hand:\n" + entry);
        }
        String changed = text.substring(0, clients.start()) + "clients:\n" + entry
                + text.substring(Math.min(clients.end() + 1, text.length()));
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, changed, StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
        AccessFile.open(temporary);
        DurableFiles.publish(temporary, file);
        return true;
    }

    /**
     * Reads rights from words.
     *
     * @throws IllegalArgumentException naming one that is none
     */
    public static Set<Right> rights(List<String> words) {
        return words.stream()
                .map(word -> Right.parse(word)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + word + "' is no right: append, restore, prune, confirm, keep and borrow are")))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
