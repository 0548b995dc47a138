// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What became of one machine.
 *
 * @param machine its name
 * @param images what became of each disk, and of its definition; none if the machine could not be held
 * @param error why it could not, or what was wrong although it was; empty if all was well but for single disks
 * @param agentWentBack whether it could not since the agent shows less than it had, or other than was committed
 * @param warnings what else its owner should know
 * @param frozen how long its guest's file systems rested at most, if they did
 * @param elapsed hooks, waits and retries included
 */
public record MachineOutcome(
        String machine,
        List<ImageOutcome> images,
        Optional<String> error,
        boolean agentWentBack,
        List<String> warnings,
        Optional<Duration> frozen,
        Duration elapsed)
        implements SourceOutcome {

    /** Keeps copies. */
    public MachineOutcome {
        images = List.copyOf(images);
        warnings = List.copyOf(warnings);
    }

    @Override
    public boolean succeeded() {
        return error.isEmpty() && images.stream().allMatch(ImageOutcome::succeeded);
    }
}
