// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Small files of the state folder: old whole or new whole after a crash. One writer a file. */
public final class StateBytes {

    private StateBytes() {}

    /** Takes the place of the file, durably. An interrupt, which would close the file, is kept until it has. */
    public static void replace(Path file, byte[] bytes) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (!isReplaced(file, bytes)) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Not if an interrupt came meanwhile. */
    private static boolean isReplaced(Path file, byte[] bytes) throws IOException {
        try {
            write(file, bytes);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder");
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
