// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import java.io.IOException;
import java.util.Optional;

/** Extended attributes of HDFS files, where the NameNode may have them switched off. */
public final class ManifestAttributes {

    /** The NameNode tells so only in its message, which names this key. */
    private static final String SWITCH_KEY = "dfs.namenode.xattrs.enabled";

    private ManifestAttributes() {}

    /** Whether a NameNode's error says that it has attributes switched off. */
    public static boolean switchedOff(IOException e) {
        return String.valueOf(e.getMessage()).contains(SWITCH_KEY);
    }

    /** The value of {@code name}; empty if the file has none or attributes are switched off. */
    static Optional<byte[]> get(BoundFile file, String name) throws IOException {
        try {
            return file.attribute(name);
        } catch (IOException e) {
            if (switchedOff(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
