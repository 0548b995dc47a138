// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.seal.RegionSealer.Effort;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.stage.Limits;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.backup.server.text.RemarksText;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a backup did.
 *
 * @param snapshot that it made
 * @param newChunks chunks that the agent didn't have
 * @param newBytes their length
 * @param storedBytes their length after compression, sealed
 * @param sentBytes what went out through the socket, TLS and all
 * @param receivedBytes what came in
 * @param listPages how many pages the snapshot's list has
 * @param sharedPages how many of them are the last snapshot's
 * @param elapsed from the first to the last byte
 * @param backend what cut the chunks
 * @param plainBytes of what was sealed, by how hard it was compressed
 * @param stages how long each worked and waited
 * @param remarks that the snapshot carries
 * @param reading how much of the image was read
 */
public record BackupReport(
        SnapshotInfo snapshot,
        long newChunks,
        long newBytes,
        long storedBytes,
        long sentBytes,
        long receivedBytes,
        int listPages,
        int sharedPages,
        Duration elapsed,
        String backend,
        Map<Effort, Long> plainBytes,
        List<StageTime.Figures> stages,
        Remarks remarks,
        ImageReading reading) {

    /** Keeps copies. */
    public BackupReport {
        plainBytes = Map.copyOf(plainBytes);
        stages = List.copyOf(stages);
    }

    /** The same, of a backup that was begun again since the tracking of changes was found to lie. */
    public BackupReport afterLie(String what) {
        return new BackupReport(
                snapshot,
                newChunks,
                newBytes,
                storedBytes,
                sentBytes,
                receivedBytes,
                listPages,
                sharedPages,
                elapsed,
                backend,
                plainBytes,
                stages,
                remarks,
                reading.lied(what));
    }

    /** Chunks that were pointed to only. */
    public long knownChunks() {
        return snapshot.chunkCount() - newChunks;
    }

    /** Source bytes a second, in millions. */
    public double megabytesPerSecond() {
        return snapshot.imageBytes() / 1e3 / Math.max(1, elapsed.toMillis());
    }

    /** For {@code --json}: keys stay as they are. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>(SnapshotText.json(snapshot));
        json.put("bytesRead", snapshot.imageBytes());
        json.put("bytesSent", sentBytes);
        json.put("bytesReceived", receivedBytes);
        json.put("newChunks", newChunks);
        json.put("newBytes", newBytes);
        json.put("newBytesCompressed", storedBytes);
        json.put("knownChunks", knownChunks());
        json.put("listPages", listPages);
        json.put("sharedPages", sharedPages);
        json.put("milliseconds", elapsed.toMillis());
        json.put("megabytesPerSecond", Math.round(megabytesPerSecond() * 10) / 10.0);
        json.put("backend", backend);
        json.put("newBytesQuick", plainBytes.getOrDefault(Effort.QUICK, 0L));
        json.put("newBytesThorough", plainBytes.getOrDefault(Effort.THOROUGH, 0L));
        json.put("stages", stages.stream().map(StageTime.Figures::json).toList());
        json.putAll(reading.json());
        json.putAll(RemarksText.json(remarks));
        return json;
    }

    /** What took its time, in a line. */
    public String limits() {
        return "busy: " + Limits.text(stages, elapsed.toNanos() / 1e9)
                + String.format(
                        Locale.ROOT,
                        "; compressed quickly %s, thoroughly %s",
                        SnapshotText.size(plainBytes.getOrDefault(Effort.QUICK, 0L)),
                        SnapshotText.size(plainBytes.getOrDefault(Effort.THOROUGH, 0L)));
    }

    /** What its owner should know although there is a snapshot, a line each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(RemarksText.warnings(snapshot, remarks));
        reading.untruth().ifPresent(text -> warnings.add(snapshot.name() + ": the tracking of changes lied: " + text));
        return warnings;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "snapshot %s@%d: read %s, sent %s (%.2f %%); %d chunks new (%s, compressed %s), %d known; %.1f s, %.0f"
                        + " MB/s, %s",
                snapshot.name(),
                snapshot.id(),
                SnapshotText.size(snapshot.imageBytes()),
                SnapshotText.size(sentBytes),
                snapshot.imageBytes() == 0 ? 0 : 100.0 * sentBytes / snapshot.imageBytes(),
                newChunks,
                SnapshotText.size(newBytes),
                SnapshotText.size(storedBytes),
                knownChunks(),
                elapsed.toMillis() / 1e3,
                megabytesPerSecond(),
                backend);
    }
}
