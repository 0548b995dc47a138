// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.server.cache.SnapshotCaches;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a backup keeps what it knew of the last snapshot. */
public final class CacheOptions {

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description =
                    "Where to keep, sealed, what tells the next backup what has not changed; may be deleted at any"
                            + " time (default: $XDG_CACHE_HOME/shredder or ~/.cache/shredder).")
    private @Nullable Path folder;

    @Option(names = "--no-cache", description = "Neither use nor keep it.")
    private boolean none;

    /** The caches in the folder that was named or the user's; none if there are to be none. */
    public SnapshotCaches caches() {
        if (none) {
            return SnapshotCaches.none();
        }
        return folder == null ? SnapshotCaches.ofUser() : SnapshotCaches.in(folder);
    }
}
