// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A place in an image where a file system may be.
 *
 * @param name {@code sda} of an image without a table, {@code sda1} of a partition, {@code group/volume} of LVM
 * @param type such as {@code ext4}; empty if it is nothing known
 * @param mount where the /etc/fstab of one of the file systems puts it
 * @param readable whether its files can be listed
 * @param unclean whether a journal should be replayed first, which is not done here
 * @param error why it is not readable although it is of a known type
 */
public record VolumeFacts(
        String name,
        long size,
        String type,
        String label,
        String uuid,
        Optional<String> mount,
        boolean readable,
        boolean unclean,
        Optional<String> error) {

    static VolumeFacts of(FlatJson json) throws IOException {
        return new VolumeFacts(
                json.text("volume"),
                json.number("size"),
                json.text("type", ""),
                json.text("label", ""),
                json.text("uuid", ""),
                json.has("mount") ? Optional.of(json.text("mount")) : Optional.empty(),
                json.truth("readable"),
                json.truth("unclean"),
                json.has("error") ? Optional.of(json.text("error")) : Optional.empty());
    }

    /** For a line of JSON. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("volume", name);
        json.put("size", size);
        json.put("type", type);
        json.put("label", label);
        json.put("uuid", uuid);
        json.put("mount", mount.orElse(null));
        json.put("readable", readable);
        json.put("unclean", unclean);
        error.ifPresent(text -> json.put("error", text));
        return json;
    }

    /** A line of a table. */
    public String line(String sizeText) {
        String why = error.map(text -> "  " + PlainText.of(text))
                .orElse(unclean ? "  not unmounted cleanly: its journal is not replayed" : "");
        return String.format(
                Locale.ROOT,
                "%-20s %-6s %10s  %-16s %s%s",
                PlainText.of(name),
                type.isEmpty() ? "?" : PlainText.of(type),
                sizeText,
                label.isEmpty() ? "-" : PlainText.of(label),
                mount.map(PlainText::of).orElse("-"),
                why);
    }
}
