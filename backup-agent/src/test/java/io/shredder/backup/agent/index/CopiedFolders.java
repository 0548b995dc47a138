// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Copies of an index's folder. */
public final class CopiedFolders {

    private CopiedFolders() {}

    /** Copies the plain files of a folder into a new one beside it or in {@code parent}. */
    public static Path copy(Path from, Path parent) throws IOException {
        Path copy = Files.createTempDirectory(parent, "copy");
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }
}
