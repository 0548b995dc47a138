// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/** Where the manifest of an HDFS file lies, and an upload's unfinished files ({@code docs/formats/manifest.md}). */
public final class ManifestNames {

    private static final String PREFIX = ".";
    private static final String SUFFIX = ".shredder-manifest";

    private static final Pattern FORM = Pattern.compile("\\..+\\.shredder-manifest(\\.\\d+)?");

    private static final String UPLOAD_SUFFIX = ".shredder-upload";

    private ManifestNames() {}

    /** The manifest of {@code file}. */
    public static Path of(Path file) {
        return new Path(file.getParent(), PREFIX + file.getName() + SUFFIX);
    }

    /** The manifest of the file with id {@code fileId}, which had the name of {@code file} once. */
    public static Path of(Path file, long fileId) {
        return new Path(file.getParent(), PREFIX + file.getName() + SUFFIX + "." + fileId);
    }

    /** Whether a file of this name would be taken for a manifest. */
    public static boolean isManifest(String fileName) {
        return FORM.matcher(fileName).matches();
    }

    /** The folder that holds what is uploaded as {@code file} until it is published. */
    public static Path uploadFolder(Path file) {
        return new Path(file.getParent(), PREFIX + file.getName() + UPLOAD_SUFFIX);
    }
}
