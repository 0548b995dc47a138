// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A folder of small files that is made once; everybody later gets a copy, permissions included. */
final class CachedFolder {

    private record Entry(String name, Set<PosixFilePermission> permissions, byte[] contents) {}

    /** Makes the folder. */
    interface Maker {
        void make(Path folder) throws IOException;
    }

    private final List<Entry> entries = new ArrayList<>();

    synchronized void copyTo(Path folder, Maker maker) throws IOException {
        if (entries.isEmpty()) {
            maker.make(folder);
            remember(folder);
            return;
        }
        Files.createDirectory(folder);
        for (Entry entry : entries) {
            Path file = Files.write(folder.resolve(entry.name()), entry.contents());
            Files.setPosixFilePermissions(file, entry.permissions());
        }
    }

    private void remember(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                entries.add(new Entry(
                        file.getFileName().toString(), Files.getPosixFilePermissions(file), Files.readAllBytes(file)));
            }
        }
    }
}
