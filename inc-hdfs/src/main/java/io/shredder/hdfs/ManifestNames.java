// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import org.apache.hadoop.fs.Path;

/** Where the manifest of an HDFS file lies, and an upload's unfinished files ({@code docs/formats/manifest.md}). */
final class ManifestNames {

    private static final String PREFIX = ".";
    private static final String SUFFIX = ".shredder-manifest";

    private static final String UPLOAD_SUFFIX = ".shredder-upload";

    private ManifestNames() {}

    /** The manifest of {@code file}. */
    static Path of(Path file) {
        return new Path(file.getParent(), PREFIX + file.getName() + SUFFIX);
    }

    /** Whether a file of this name would be taken for a manifest. */
    static boolean isManifest(String fileName) {
        return fileName.startsWith(PREFIX) && fileName.endsWith(SUFFIX) && fileName.length() > SUFFIX.length() + 1;
    }

    /** The folder that holds what is uploaded as {@code file} until it is published. */
    static Path uploadFolder(Path file) {
        return new Path(file.getParent(), PREFIX + file.getName() + UPLOAD_SUFFIX);
    }
}
