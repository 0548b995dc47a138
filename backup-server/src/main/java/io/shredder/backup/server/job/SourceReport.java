// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.running.RunningBackup;
import io.shredder.backup.server.trust.BrokenTrustException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one try of an image or a machine made.
 *
 * @param parts the image, or a machine's disks and its definition
 * @param warnings of the machine
 * @param frozen how long its guest's file systems rested at most, if they did
 */
record SourceReport(List<Part> parts, List<String> warnings, Optional<Duration> frozen) {

    /**
     * One series' snapshot, or why there is none.
     *
     * @param agentWentBack whether that is since the agent shows less than it had, or other than was committed
     */
    record Part(String series, Optional<BackupReport> report, Optional<String> error, boolean agentWentBack) {}

    static SourceReport of(BackupReport image) {
        Part part = new Part(image.snapshot().name().value(), Optional.of(image), Optional.empty(), false);
        return new SourceReport(List.of(part), List.of(), Optional.empty());
    }

    static SourceReport of(RunningBackup.Outcome machine) {
        List<Part> parts = machine.disks().stream()
                .map(disk -> new Part(
                        disk.series().value(),
                        disk.report(),
                        disk.error().map(CommandErrors::describe),
                        disk.error().filter(BrokenTrustException::isWhy).isPresent()))
                .toList();
        return new SourceReport(parts, machine.warnings(), machine.frozen());
    }

    boolean isWhole() {
        return parts.stream().allMatch(part -> part.report().isPresent());
    }

    /** What went wrong with single disks, in a line. */
    String errors() {
        return parts.stream()
                .flatMap(part -> part.error().map(error -> part.series() + ": " + error).stream())
                .collect(Collectors.joining("; "));
    }

    /** Snapshots that there are, a word each. */
    String snapshots() {
        return parts.stream()
                .flatMap(part -> part.report().stream())
                .map(report ->
                        report.snapshot().name() + "@" + report.snapshot().id())
                .collect(Collectors.joining(" "));
    }
}
