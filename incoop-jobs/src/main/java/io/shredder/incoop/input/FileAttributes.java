// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Extended attributes of files, where the file system may have none or have them switched off. */
final class FileAttributes {

    /** The NameNode tells so only in its message, which names this key. */
    private static final String SWITCH_KEY = "dfs.namenode.xattrs.enabled";

    private FileAttributes() {}

    /** The value of {@code name}, which is ASCII; empty if the file has none. */
    static Optional<String> text(FileSystem fs, Path file, String name) throws IOException {
        try {
            return Optional.ofNullable(fs.getXAttrs(file).get(name))
                    .map(value -> new String(value, StandardCharsets.US_ASCII));
        } catch (UnsupportedOperationException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(SWITCH_KEY)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
