// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Tells whether a file is another than it was, without reading it. */
public final class FileStamp {

    private FileStamp() {}

    /** Differs once the file was written or replaced. */
    public static String of(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    }
}
