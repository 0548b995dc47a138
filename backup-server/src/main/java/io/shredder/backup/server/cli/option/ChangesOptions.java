// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.changes.ToldChanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which bytes of an image a storage system says have changed. */
public final class ChangesOptions {

    private static final Pattern POINT = Pattern.compile("[A-Za-z0-9._:=/+@-]{1,25}");

    @Option(
            names = "--point",
            paramLabel = "LABEL",
            description = "What the storage system calls the state that the image is of, such as a snapshot's name: up"
                    + " to 25 letters, digits and '._:=/+@-'. The snapshot is tagged with it, so that the next backup"
                    + " knows from where to count changes.")
    private @Nullable String point;

    @Option(
            names = "--changes",
            paramLabel = "FILE",
            description = "With --point and --changes-since: what has changed since then; nothing else is read. Lines"
                    + " of offset and length in bytes, or JSON with these, as 'rbd diff' writes both.")
    private @Nullable Path file;

    @Option(
            names = "--changes-since",
            paramLabel = "LABEL",
            description = "With --changes: the point from which FILE has all changes. If it isn't the last snapshot's,"
                    + " everything is read.")
    private @Nullable String since;

    @Option(
            names = "--changes-command",
            paramLabel = "CMD",
            description = "With --point, instead of --changes: a command for the shell that writes such a list, from"
                    + " $SHREDDER_SINCE to $SHREDDER_POINT. If it fails, everything is read.")
    private @Nullable String command;

    @Option(
            names = "--whole-every",
            defaultValue = "7d",
            paramLabel = "TIME",
            description = "With changes that are told: read every byte and compare, if that was so long ago, to find"
                    + " a list that lies (default: ${DEFAULT-VALUE}).")
    private String wholeEvery = "7d";

    /**
     * What was given; empty without {@code --point}.
     *
     * @throws IllegalArgumentException saying what doesn't go together
     */
    public Optional<ChangeTracker> tracker() {
        Duration every = TimeSpan.positive(wholeEvery);
        if (point == null) {
            if (file != null || since != null || command != null) {
                throw new IllegalArgumentException("--changes, --changes-since and --changes-command need --point");
            }
            return Optional.empty();
        } else if (!POINT.matcher(point).matches()) {
            throw new IllegalArgumentException(
                    "'" + point + "' is no point: use up to 25 letters, digits and '._:=/+@-'");
        } else if ((file == null) != (since == null) || (file != null && command != null)) {
            throw new IllegalArgumentException("give --changes with --changes-since, or --changes-command, or neither");
        } else if (command != null) {
            return Optional.of(ToldChanges.command(point, every, command));
        } else if (file != null && since != null) {
            return Optional.of(ToldChanges.file(point, every, file, since));
        }
        return Optional.of(ToldChanges.none(point, every));
    }
}
