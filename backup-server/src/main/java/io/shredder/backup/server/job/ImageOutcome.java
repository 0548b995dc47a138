// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.server.backup.BackupReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What became of one image.
 *
 * @param image its name
 * @param report what was backed up; empty if it failed
 * @param error why it failed, or what was wrong although there is a snapshot; empty if all was well
 * @param agentWentBack whether it failed since the agent shows less than it had, or other than was committed
 * @param elapsed hooks, waits and retries included
 */
public record ImageOutcome(
        String image, Optional<BackupReport> report, Optional<String> error, boolean agentWentBack, Duration elapsed)
        implements SourceOutcome {

    /** One of which the agent has shown nothing that was wrong. */
    public ImageOutcome(String image, Optional<BackupReport> report, Optional<String> error, Duration elapsed) {
        this(image, report, error, false, elapsed);
    }

    @Override
    public List<ImageOutcome> images() {
        return List.of(this);
    }

    @Override
    public boolean succeeded() {
        return report.isPresent() && error.isEmpty();
    }
}
