// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The two versions of an image, each as the only file of a folder, since some programs back up folders only. Both files
 * have the same name.
 *
 * @param first folder with the image
 * @param second folder with its next version
 * @param bytes length of the image
 */
public record Sources(Path first, Path second, long bytes) {
    /** Name of the image in both folders. */
    public static final String FILE = "disk.img";

    /** Links two images into two folders of an empty one. */
    public static Sources link(Path folder, Path first, Path second) throws IOException {
        return new Sources(
                linked(folder.resolve("v1"), first), linked(folder.resolve("v2"), second), Files.size(first));
    }

    private static Path linked(Path folder, Path image) throws IOException {
        Files.createLink(Files.createDirectories(folder).resolve(FILE), image.toRealPath());
        return folder;
    }

    /** The folder with the image that an operation reads or gives back. */
    public Path of(Operation operation) {
        return switch (operation) {
            case FIRST, UNCHANGED -> first;
            case CHANGED, RESTORE, LOCAL_RESTORE, VERIFY, PRUNE -> second;
        };
    }
}
