// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.setup;

import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageFormat;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An image that a new configuration backs up.
 *
 * @param name of its series
 * @param key says in the configuration how it is read
 * @param place a path, or an NBD address
 */
record FirstImage(SnapshotName name, String key, String place) {

    /**
     * Reads {@code NAME=PLACE}, and looks at the image for how it is to be read.
     *
     * @throws IOException if it can't be read
     */
    static FirstImage of(String text) throws IOException {
        int equals = text.indexOf('=');
        if (equals < 1 || equals == text.length() - 1) {
            throw new IOException("image '" + text + "' is not NAME=FILE, such as web1=/srv/images/web1.img");
        }
        SnapshotName name;
        try {
            name = new SnapshotName(text.substring(0, equals));
        } catch (IllegalArgumentException e) {
            throw new IOException("image '" + text + "': " + e.getMessage(), e);
        }
        String place = text.substring(equals + 1);
        ImageAddress address = address(place);
        String key = keyOf(address);
        return new FirstImage(
                name,
                key,
                key.equals("nbd")
                        ? place
                        : Path.of(place).toAbsolutePath().normalize().toString());
    }

    private static ImageAddress address(String place) throws IOException {
        try {
            return ImageFormat.AUTO.address(place);
        } catch (IOException e) {
            // An image that begins like qcow2 is read as one here: a raw one is changed in the file afterwards.
            if (Files.isReadable(Path.of(place)) && place.endsWith(".qcow2")) {
                return ImageFormat.QCOW2.address(place);
            }
            throw e;
        }
    }

    private static String keyOf(ImageAddress address) {
        if (address instanceof ImageAddress.Qcow2) {
            return "qcow2";
        } else if (address instanceof ImageAddress.Device) {
            return "device";
        }
        return address instanceof ImageAddress.Nbd ? "nbd" : "file";
    }

    /** Its line in a configuration; JSON's quotes are YAML's. */
    String line() {
        return "      " + name + ": {" + key + ": \""
                + place.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}\n";
    }
}
