// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.job.ImageOutcome;
import java.time.Instant;
import java.util.Optional;

/**
 * What is kept of a backup of one image.
 *
 * @param image its name
 * @param end when it ended
 * @param ok whether there is a snapshot and nothing was wrong
 * @param hasSnapshot whether there is one; the lengths are 0 if not
 * @param imageBytes length of the image
 * @param newBytes what the agent did not have
 * @param storedBytes the same, compressed
 * @param sentBytes what went out
 * @param milliseconds with hooks, waits and retries
 */
record BackupOutcome(
        String image,
        Instant end,
        boolean ok,
        boolean hasSnapshot,
        long imageBytes,
        long newBytes,
        long storedBytes,
        long sentBytes,
        long milliseconds) {

    static BackupOutcome of(ImageOutcome outcome, Instant end) {
        Optional<BackupReport> report = outcome.report();
        return new BackupOutcome(
                outcome.image(),
                end,
                outcome.succeeded(),
                report.isPresent(),
                report.map(made -> made.snapshot().imageBytes()).orElse(0L),
                report.map(BackupReport::newBytes).orElse(0L),
                report.map(BackupReport::storedBytes).orElse(0L),
                report.map(BackupReport::sentBytes).orElse(0L),
                outcome.elapsed().toMillis());
    }

    void write(ObjectNode line) {
        line.put("image", image)
                .put("ok", ok)
                .put("snapshot", hasSnapshot)
                .put("imageBytes", imageBytes)
                .put("newBytes", newBytes)
                .put("storedBytes", storedBytes)
                .put("sentBytes", sentBytes)
                .put("milliseconds", milliseconds);
    }

    static BackupOutcome read(ObjectNode line) {
        return new BackupOutcome(
                line.path("image").asText(),
                Instant.parse(line.path("at").asText()),
                line.path("ok").asBoolean(),
                line.path("snapshot").asBoolean(),
                line.path("imageBytes").asLong(),
                line.path("newBytes").asLong(),
                line.path("storedBytes").asLong(),
                line.path("sentBytes").asLong(),
                line.path("milliseconds").asLong());
    }
}
