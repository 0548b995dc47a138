// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import com.google.common.base.Throwables;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes that survive a power loss once they return. */
public final class DurableFiles {

    /** How Linux says that there is no room: disk, quota, limit of file size. */
    private static final List<String> FULL =
            List.of("No space left on device", "Disk quota exceeded", "File too large");

    private DurableFiles() {}

    /** Makes the names in a folder durable: files created in it, renamed into it or deleted from it. */
    public static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Creates a folder, and those above it up to {@code root}, durably. */
    public static void createFolders(Path root, Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path above = folderOf(folder);
        if (!folder.equals(root)) {
            createFolders(root, above);
        }
        Files.createDirectory(folder);
        forceFolder(above);
    }

    /** Gives a whole, forced temporary file its name: old whole or new whole, even after a power loss. */
    public static void publish(Path temporary, Path target) throws IOException {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        forceFolder(folderOf(target));
    }

    /** Writes all remaining bytes at {@code position}. */
    public static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /**
     * Reads until {@code target} is full.
     *
     * @throws EOFException if the file ends before
     */
    public static void readFully(FileChannel channel, ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int count = channel.read(target, at);
            if (count < 0) {
                throw new EOFException("ends at " + at);
            }
            at += count;
        }
    }

    /** Whether an error says that there is no room. */
    public static boolean isFull(@Nullable Throwable error) {
        return error != null
                && Throwables.getCausalChain(error).stream()
                        .map(cause -> String.valueOf(cause.getMessage()))
                        .anyMatch(text -> FULL.stream().anyMatch(text::contains));
    }

    /** The folder that a file is in. */
    public static Path folderOf(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(path + " has no folder above it");
        }
        return parent;
    }
}
