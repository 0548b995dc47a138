// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** How an image that a command line names is to be read. */
public enum ImageFormat {
    /** Raw; but a file that begins like qcow2 is refused, since it may be meant either way. */
    AUTO,
    /** Byte for byte, whatever is inside. */
    RAW,
    /** Through qemu-nbd. */
    QCOW2;

    private static final byte[] QCOW2_MAGIC = {'Q', 'F', 'I', (byte) 0xfb};

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static ImageFormat parse(String text) {
        return Arrays.stream(values())
                .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("unknown image format '" + text + "': use auto, raw or qcow2"));
    }

    /**
     * Where the image is.
     *
     * @param image a path or an NBD address
     * @throws IOException if it can't be told how to read it
     */
    public ImageAddress address(String image) throws IOException {
        if (NbdUri.looksLike(image)) {
            return nbd(image);
        }
        Path path = Path.of(image);
        FileImage.checkReadable(path);
        if (this == QCOW2) {
            return new ImageAddress.Qcow2(path);
        } else if (FileImage.isBlockDevice(path)) {
            return new ImageAddress.Device(path);
        } else if (this == AUTO && Files.isRegularFile(path) && startsLikeQcow2(path)) {
            throw new IOException(
                    "image " + image + " begins like a qcow2 image: back it up with --format qcow2; or with"
                            + " --format raw, if it is raw and a machine wrote that into it");
        }
        return new ImageAddress.RawFile(path);
    }

    private static ImageAddress nbd(String uri) throws IOException {
        try {
            return new ImageAddress.Nbd(NbdUri.parse(uri));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static boolean startsLikeQcow2(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return Arrays.equals(in.readNBytes(QCOW2_MAGIC.length), QCOW2_MAGIC);
        }
    }
}
