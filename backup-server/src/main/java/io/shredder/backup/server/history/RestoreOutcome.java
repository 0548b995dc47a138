// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/**
 * What came of a restore at the console.
 *
 * @param person who asked for it
 * @param image series of the snapshot
 * @param snapshotId which
 * @param to name of the file
 * @param writtenBytes of the image
 * @param elapsed since it began
 * @param error why there is no file; empty if there is one
 */
public record RestoreOutcome(
        String person,
        String image,
        long snapshotId,
        String to,
        long writtenBytes,
        Duration elapsed,
        Optional<String> error) {

    void write(ObjectNode line) {
        line.put("image", image)
                .put("snapshotId", snapshotId)
                .put("to", to)
                .put("person", person)
                .put("ok", error.isEmpty())
                .put("writtenBytes", writtenBytes)
                .put("milliseconds", elapsed.toMillis());
        error.ifPresent(text -> line.put("error", JournalLine.shortened(text)));
    }
}
