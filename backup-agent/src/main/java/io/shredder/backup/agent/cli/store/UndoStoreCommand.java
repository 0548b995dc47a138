// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli.store;

import io.shredder.backup.agent.s3.S3Place;
import io.shredder.backup.agent.s3.VersionHistory;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent undo-store}. */
@Command(
        name = "undo-store",
        description = {
            "Find what was deleted or overwritten in a bucket with versions since a moment, and undo it. The agent must"
                    + " not be running.",
            "Without --apply it only says what it would do. Exit code 0: nothing was to be undone, or all was; 1: something"
                    + " is left."
        },
        mixinStandardHelpOptions = true)
public final class UndoStoreCommand implements Callable<Integer> {

    @Option(
            names = "--store",
            required = true,
            paramLabel = "URI",
            description = "The store, such as s3://backup-site1/shredder.")
    private URI store = URI.create("");

    @Option(
            names = "--since",
            required = true,
            paramLabel = "TIME",
            description = "The last moment at which all was well, such as 2026-11-28T18:00:00Z.")
    private Instant since = Instant.EPOCH;

    @Option(names = "--apply", description = "Undo it.")
    private boolean apply;

    @Mixin
    private ObjectStoreOptions objects = new ObjectStoreOptions();

    @Override
    public Integer call() throws IOException {
        int left = 0;
        try (VersionHistory history = VersionHistory.open(S3Place.parse(store), objects.settings())) {
            List<VersionHistory.Change> changes = history.changesSince(since);
            for (VersionHistory.Change change : changes) {
                System.out.println(change);
                if (change.canBeUndone() && apply) {
                    history.undo(change);
                } else if (change.canBeUndone()) {
                    left++;
                }
            }
            System.out.println(summary(changes, left));
        }
        return left == 0 ? 0 : 1;
    }

    private String summary(List<VersionHistory.Change> changes, int left) {
        long undone =
                changes.stream().filter(VersionHistory.Change::canBeUndone).count() - left;
        return apply
                ? undone + " objects are again as they were at " + since
                : left == 0
                        ? "nothing was deleted or overwritten since " + since
                        : left + " objects were deleted or overwritten since " + since + "; --apply undoes that";
    }
}
