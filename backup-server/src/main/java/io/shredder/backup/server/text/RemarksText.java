// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.SkippedRange;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the remarks on a snapshot look to a reader. */
public final class RemarksText {

    private RemarksText() {}

    /** For {@code --json}: keys stay as they are, and those of remarks that there are not are left out. */
    public static Map<String, Object> json(Remarks remarks) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (!remarks.tags().isEmpty()) {
            json.put("tags", remarks.tags());
        }
        remarks.note().ifPresent(note -> json.put("note", note));
        if (!remarks.skipped().isEmpty()) {
            json.put("skippedBytes", remarks.skippedBytes());
            json.put(
                    "skipped",
                    remarks.skipped().stream()
                            .map(range -> Map.of("offset", range.offset(), "bytes", range.bytes()))
                            .toList());
        }
        remarks.change().ifPresent(change -> json.put("changed", change));
        return json;
    }

    /** What is wrong with a snapshot, a line each. */
    public static List<String> warnings(SnapshotInfo snapshot, Remarks remarks) {
        List<String> lines = new ArrayList<>();
        remarks.change()
                .ifPresent(change -> lines.add("warning: the image of " + SnapshotText.name(snapshot)
                        + " changed while it was read: " + change
                        + "; back it up when nobody writes it, or a snapshot of it"));
        for (SkippedRange range : remarks.skipped()) {
            lines.add("warning: " + SnapshotText.name(snapshot) + " has zeros in place of " + range
                    + ", which could not be read");
        }
        return lines;
    }

    /** Behind a line of a listing; empty if there are none. */
    public static String suffix(Remarks remarks) {
        StringBuilder suffix = new StringBuilder();
        if (!remarks.tags().isEmpty()) {
            suffix.append("  ").append(remarks.tags());
        }
        remarks.note().ifPresent(note -> suffix.append("  \"").append(note).append('"'));
        if (!remarks.skipped().isEmpty()) {
            suffix.append("  ").append(remarks.skippedBytes()).append(" bytes unreadable");
        }
        if (remarks.change().isPresent()) {
            suffix.append("  changed while read");
        }
        return suffix.toString();
    }
}
