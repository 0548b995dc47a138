// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.changes.ChangedRanges;
import io.shredder.backup.server.source.NbdChanges;
import io.shredder.backup.server.source.NbdUri;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What a bitmap says of a disk that is held.
 *
 * @param point the moment
 * @param wholeEvery how often every byte is to be read
 * @param since the point at which the bitmap begins, if there is one
 * @param bitmap its name at the export
 * @param reason why there is none
 * @param uri of the export
 */
record TrackedDisk(String point, Duration wholeEvery, Optional<String> since, String bitmap, String reason, NbdUri uri)
        implements ChangeTracker {

    private static final Duration SILENCE = Duration.ofSeconds(60);

    @Override
    public Optional<ChangedRanges> since(String lastPoint) throws IOException {
        return since.isPresent() && since.get().equals(lastPoint)
                ? Optional.of(ChangedRanges.of(NbdChanges.marked(uri, bitmap, SILENCE)))
                : Optional.empty();
    }
}
