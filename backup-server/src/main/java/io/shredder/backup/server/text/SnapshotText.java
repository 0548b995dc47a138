// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How snapshots and sizes look to a reader. */
public final class SnapshotText {

    private SnapshotText() {}

    /** For {@code --json}: keys stay as they are. */
    public static Map<String, Object> json(SnapshotInfo snapshot) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", snapshot.id());
        json.put("name", snapshot.name().value());
        json.put("received", snapshot.received().toString());
        json.put("imageBytes", snapshot.imageBytes());
        json.put("chunks", snapshot.chunkCount());
        json.put("key", snapshot.seal().key().toString());
        json.put("contentDigest", snapshot.contentDigest().toString());
        return json;
    }

    /** The same, and what only whoever has the key can see. */
    public static Map<String, Object> json(SnapshotInfo snapshot, SnapshotSummary summary) {
        Map<String, Object> json = json(snapshot);
        json.put("taken", summary.taken().toString());
        json.put("averageBytes", summary.params().averageBytes());
        json.put("minBytes", summary.params().minBytes());
        json.put("maxBytes", summary.params().maxBytes());
        json.put("digest", summary.params().digest().optionName());
        json.putAll(RemarksText.json(summary.remarks()));
        return json;
    }

    /** As commands name it. */
    public static String name(SnapshotInfo snapshot) {
        return snapshot.name() + "@" + snapshot.id();
    }

    /** One line of a listing. */
    public static String line(SnapshotInfo snapshot) {
        return String.format(
                Locale.ROOT,
                "%6d  %-24s  %s  %12s  %9d chunks",
                snapshot.id(),
                snapshot.name(),
                snapshot.received(),
                size(snapshot.imageBytes()),
                snapshot.chunkCount());
    }

    /** A size with three digits or so, in powers of 1000. */
    public static String size(long bytes) {
        if (bytes < 1000) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 999.95) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %sB", value, "kMGTPE".charAt(unit));
    }
}
