// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes small files that only their owner may read. They are durable when a call returns, old whole or new whole. */
public final class PrivateFiles {

    /** For files that are made with this attribute. */
    public static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private PrivateFiles() {}

    /** Writes a file that must not exist yet. */
    public static void create(Path file, String text) throws IOException {
        Path temporary = write(file, text);
        try {
            Files.createLink(file, temporary);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " exists: name another file", e);
        } finally {
            Files.delete(temporary);
        }
        forceFolder(file);
    }

    /** Replaces a file. */
    public static void replace(Path file, String text) throws IOException {
        Path temporary = write(file, text);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(file);
    }

    private static Path write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(
                "." + file.getFileName() + ".new-" + ProcessHandle.current().pid());
        Files.deleteIfExists(temporary);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try (FileChannel channel = FileChannel.open(temporary, options, OWNER_ONLY)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        return temporary;
    }

    private static void forceFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
