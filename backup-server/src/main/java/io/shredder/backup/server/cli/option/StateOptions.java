// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.server.trust.KnownCommits;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where this site remembers what it has seen of an agent. */
public final class StateOptions {

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Where this site remembers the last commits that it has seen, by which it notices an agent that"
                            + " shows less or other than it had (default: $XDG_STATE_HOME/shredder or"
                            + " ~/.local/state/shredder).")
    private @Nullable Path folder;

    /** The commits that this site remembers, in the folder that was named or the user's. */
    public KnownCommits commits() {
        return folder == null ? KnownCommits.ofUser() : KnownCommits.in(folder);
    }
}
