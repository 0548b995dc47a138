// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Folders and files that only their owner may look into. */
final class CacheFolder {

    static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final FileAttribute<?> FOLDER_OF_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Duration LONGEST_BACKUP = Duration.ofDays(30);

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

    /** Deletes what backups that were killed long ago left beside a file. */
    static void deleteLeftOvers(Path file) throws IOException {
        Path folder = folderOf(file);
        Instant oldest = Instant.now().minus(LONGEST_BACKUP);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "." + file.getFileName() + ".new-*")) {
            for (Path each : left) {
                if (Files.getLastModifiedTime(each).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }
}
