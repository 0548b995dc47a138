// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.server.text.SnapshotText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How much of an image a backup read.
 *
 * @param bytes from where the image is; what is read twice counts twice
 * @param reason why so much
 * @param changedBytes how much has changed, as whoever keeps track says; empty if nobody could say
 * @param wholly why everything was read although somebody keeps track of changes, if so
 * @param untruth what had changed although whoever keeps track said it hadn't: snapshots since every byte was read last
 *     may be wrong there, this one isn't
 * @param lastWhole when every byte was read last, of an image whose changes are tracked
 */
public record ImageReading(
        long bytes,
        ReadReason reason,
        Optional<Long> changedBytes,
        Optional<String> wholly,
        Optional<String> untruth,
        Optional<Instant> lastWhole) {

    /** Of an image of whose changes nobody keeps track. */
    public static ImageReading untracked(long bytes) {
        return new ImageReading(
                bytes, ReadReason.UNTRACKED, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The same, of a backup that was begun again since the tracking was found to lie. */
    ImageReading lied(String what) {
        return new ImageReading(bytes, ReadReason.LIED, changedBytes, wholly, Optional.of(what), lastWhole);
    }

    /** In a line. */
    public String text() {
        return SnapshotText.size(bytes) + " were read from the image"
                + wholly.map(why -> ", every byte, since " + why).orElse("");
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("imageBytesRead", bytes);
        if (reason != ReadReason.UNTRACKED) {
            json.put("readReason", reason.word());
        }
        changedBytes.ifPresent(changed -> json.put("changedBytes", changed));
        wholly.ifPresent(why -> json.put("readWholly", why));
        untruth.ifPresent(text -> json.put("untrueChanges", text));
        return json;
    }
}
