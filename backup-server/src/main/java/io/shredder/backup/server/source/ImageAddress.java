// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Where an image is and how it is read. What is inside a raw image, which a guest may write, never decides that. */
public sealed interface ImageAddress {

    /**
     * An ordinary file that holds the image byte for byte; its holes are not read.
     *
     * @param path of the file
     */
    record RawFile(Path path) implements ImageAddress {

        @Override
        public ImageSource open() throws IOException {
            return FileImage.openFile(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A block device, best a snapshot of one.
     *
     * @param path of the device's file
     */
    record Device(Path path) implements ImageAddress {

        @Override
        public ImageSource open() throws IOException {
            return FileImage.openDevice(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A qcow2 file, which may have a chain of backing files; read through QEMU's own {@code qemu-nbd}.
     *
     * @param path of the topmost file
     */
    record Qcow2(Path path) implements ImageAddress {

        @Override
        public ImageSource open() throws IOException {
            return Qcow2Image.open(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * An export of an NBD server.
     *
     * @param uri where it is
     */
    record Nbd(NbdUri uri) implements ImageAddress {

        private static final Duration TIMEOUT = Duration.ofSeconds(60);

        @Override
        public ImageSource open() throws IOException {
            return NbdImage.open(uri, TIMEOUT);
        }

        @Override
        public String toString() {
            return uri.toString();
        }
    }

    /**
     * Opens the image for reading; whoever asks closes it.
     *
     * @throws IOException naming the image and what to do, if it can't be read
     */
    ImageSource open() throws IOException;
}
