// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.seal.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Folders and files that only their owner may look into. */
final class CacheFolder {

    private static final FileAttribute<?> FOLDER_OF_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    /** Longer than it takes from making a file to locking it. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    /** Closing a file gives up all locks that this process has on it, so those that it writes aren't even opened. */
    private static final Set<Path> WRITTEN_HERE = ConcurrentHashMap.newKeySet();

    private CacheFolder() {}

    /** {@code $XDG_CACHE_HOME/shredder}, or {@code ~/.cache/shredder}: XDG Base Directory Specification 0.8. */
    static Path ofUser(Map<String, String> environment, Path home) {
        return Optional.ofNullable(environment.get("XDG_CACHE_HOME"))
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(home.resolve(".cache"))
                .resolve("shredder");
    }

    /** Makes the folder of a file and what is missing above it. */
    static void createFor(Path file) throws IOException {
        Files.createDirectories(folderOf(file), FOLDER_OF_OWNER);
    }

    private static Path folderOf(Path file) {
        return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
    }

    /** Makes a file that {@link #deleteLeftOvers} leaves alone until {@link #release}, or until this process ends. */
    static FileChannel hold(Path temporary) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        WRITTEN_HERE.add(temporary.toAbsolutePath());
        FileChannel channel = null;
        try {
            channel = FileChannel.open(temporary, options, PrivateFiles.OWNER_ONLY);
            channel.lock();
            return channel;
        } catch (IOException e) {
            if (channel != null) {
                channel.close();
            }
            release(temporary);
            throw e;
        }
    }

    /** It has another name now, or is gone. */
    static void release(Path temporary) {
        WRITTEN_HERE.remove(temporary.toAbsolutePath());
    }

    /** Deletes what backups that were killed left beside a file. */
    static void deleteLeftOvers(Path file) throws IOException {
        Path folder = folderOf(file);
        Instant oldest = Instant.now().minus(YOUNG);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "." + file.getFileName() + ".new-*")) {
            for (Path each : left) {
                if (!WRITTEN_HERE.contains(each.toAbsolutePath())
                        && Files.getLastModifiedTime(each).toInstant().isBefore(oldest)
                        && isLetGo(each)) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    /** The lock of a process goes with it. */
    private static boolean isLetGo(Path temporary) throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        }
    }
}
