// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All files of a folder in memory, by their paths under it. */
final class FileTree {

    private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rw-------");

    private FileTree() {}

    /** Those of a folder; none if it isn't there. */
    static SortedMap<String, byte[]> read(Path folder) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                    files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    /** Makes a folder hold these and nothing else. */
    static void write(Path folder, Map<String, byte[]> files) throws IOException {
        if (Files.exists(folder)) {
            TrialRun.deleteAll(folder);
        }
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
            Files.setPosixFilePermissions(path, OWNER_ALONE);
        }
    }
}
