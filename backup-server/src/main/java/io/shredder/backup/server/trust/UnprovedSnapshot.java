// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.snapshot.SnapshotInfo;

/**
 * A snapshot that stands apart: no rule counts it and nothing stops for it.
 *
 * @param reason why, for a message
 */
public record UnprovedSnapshot(SnapshotInfo info, String reason) {

    @Override
    public String toString() {
        return info.name() + "@" + info.id() + ": " + reason;
    }
}
