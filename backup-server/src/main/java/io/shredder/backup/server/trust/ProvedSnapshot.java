// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;

/**
 * A snapshot that the repository key proves.
 *
 * @param info as the agent lists it
 * @param summary as it was sealed
 */
public record ProvedSnapshot(SnapshotInfo info, SnapshotSummary summary) {

    /** What its successor calls it. */
    public Fingerprint digest() {
        return SnapshotPlace.digest(info);
    }

    /** Its place in its series; 0 for one of before places were sealed. */
    public long ordinal() {
        return summary.place().map(SnapshotPlace::ordinal).orElse(0L);
    }

    /**
     * Whether another, perhaps at another agent, is of the same moment and content. An image that did not change has
     * the same shared list again, but is taken at another time.
     */
    public boolean isSameAs(ProvedSnapshot other) {
        return other.info.contentDigest().equals(info.contentDigest())
                && other.summary.taken().equals(summary.taken());
    }
}
