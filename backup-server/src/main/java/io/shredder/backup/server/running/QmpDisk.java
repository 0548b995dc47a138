// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A disk as QMP tells of it.
 *
 * @param name what its owner calls it
 * @param node its root block node
 * @param bytes its length
 * @param keepsBitmaps whether its format keeps bitmaps when the machine ends
 * @param bitmaps that it has
 */
record QmpDisk(String name, String node, long bytes, boolean keepsBitmaps, List<Bitmap> bitmaps) {

    private static final Pattern DEVICE = Pattern.compile("/machine/peripheral/([^/]+)(/.*)?");

    /**
     * A dirty bitmap.
     *
     * @param granularity bytes that one bit stands for
     * @param wrong why it can't be used, if it can't
     */
    record Bitmap(String name, long granularity, Optional<String> wrong) {

        private static Bitmap of(JsonNode told) {
            Optional<String> wrong = Optional.empty();
            if (told.path("inconsistent").asBoolean()) {
                wrong = Optional.of("was left inconsistent, since QEMU was killed or the machine lost power");
            } else if (told.path("busy").asBoolean()) {
                wrong = Optional.of("is in use by another operation");
            } else if (!told.path("recording").asBoolean()) {
                wrong = Optional.of("was told by somebody not to record");
            }
            return new Bitmap(
                    told.path("name").asText(), told.path("granularity").asLong(), wrong);
        }
    }

    /** Those that a machine writes; a CD, say, is none. */
    static List<QmpDisk> of(QmpConnection qmp) throws IOException {
        List<QmpDisk> disks = new ArrayList<>();
        for (JsonNode block : qmp.ask("query-block")) {
            JsonNode inserted = block.path("inserted");
            if (inserted.isMissingNode() || inserted.path("ro").asBoolean()) {
                continue;
            }
            JsonNode image = inserted.path("image");
            boolean keeps = image.path("format").asText().equals("qcow2")
                    && !image.at("/format-specific/data/compat").asText().equals("0.10");
            List<Bitmap> bitmaps = new ArrayList<>();
            inserted.path("dirty-bitmaps").forEach(bitmap -> bitmaps.add(Bitmap.of(bitmap)));
            disks.add(new QmpDisk(
                    name(block),
                    inserted.path("node-name").asText(),
                    image.path("virtual-size").asLong(),
                    keeps,
                    bitmaps));
        }
        if (disks.stream().map(QmpDisk::name).distinct().count() < disks.size()) {
            throw new IOException(qmp + ": two disks have one name: give each -device an id of its own");
        }
        return disks;
    }

    private static String name(JsonNode block) {
        String name = block.path("device").asText();
        String qdev = block.path("qdev").asText();
        Matcher device = DEVICE.matcher(qdev);
        if (name.isEmpty() && device.matches()) {
            name = device.group(1);
        } else if (name.isEmpty() && !qdev.isEmpty() && !qdev.startsWith("/")) {
            name = qdev;
        } else if (name.isEmpty()) {
            name = block.at("/inserted/node-name").asText();
        }
        return name.replaceAll("[^A-Za-z0-9._-]", "");
    }
}
