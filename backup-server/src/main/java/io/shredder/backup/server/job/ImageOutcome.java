// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.server.backup.BackupReport;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of one image.
 *
 * @param image its name
 * @param report what was backed up; empty if it failed
 * @param error why it failed, or what was wrong although there is a snapshot; empty if all was well
 * @param elapsed hooks, waits and retries included
 */
public record ImageOutcome(String image, Optional<BackupReport> report, Optional<String> error, Duration elapsed) {

    /** Whether there is a snapshot and nothing was wrong. */
    public boolean succeeded() {
        return report.isPresent() && error.isEmpty();
    }
}
