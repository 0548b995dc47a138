// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What damage did to one snapshot.
 *
 * @param snapshot that is hurt
 * @param chunks how many of its chunks are damaged or missing
 * @param ranges of the image that they make, in order; none if there was no key to tell
 * @param listDamaged whether its list can't be read, so that nothing more is known
 */
public record DamagedSnapshot(SnapshotInfo snapshot, int chunks, List<Extent> ranges, boolean listDamaged) {

    private static final int RANGES_IN_LINE = 8;

    /** For {@code --json}: keys stay as they are. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("snapshot", SnapshotText.name(snapshot));
        json.put("damagedChunks", chunks);
        json.put("listDamaged", listDamaged);
        json.put(
                "ranges",
                ranges.stream()
                        .map(range -> Map.of("offset", range.offset(), "bytes", range.bytes()))
                        .toList());
        return json;
    }

    /** One line. */
    @Override
    public String toString() {
        String name = SnapshotText.name(snapshot);
        if (listDamaged) {
            return name + ": its list is damaged";
        }
        String hurt = name + ": " + chunks + (chunks == 1 ? " chunk is" : " chunks are") + " damaged or missing";
        if (ranges.isEmpty()) {
            return hurt;
        }
        long bytes = ranges.stream().mapToLong(Extent::bytes).sum();
        String first = ranges.stream()
                .limit(RANGES_IN_LINE)
                .map(range -> range.offset() + " to " + (range.end() - 1))
                .collect(Collectors.joining(", "));
        return hurt + ", " + bytes + " bytes of the image: " + first + (ranges.size() > RANGES_IN_LINE ? ", ..." : "");
    }
}
