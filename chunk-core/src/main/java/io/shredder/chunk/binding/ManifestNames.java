// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of files that lie beside an HDFS file: its manifest, and an upload's unfinished files
 * ({@code docs/formats/manifest.md}). A name has no folder.
 */
public final class ManifestNames {

    private static final String PREFIX = ".";
    private static final String SUFFIX = ".shredder-manifest";

    private static final Pattern FORM = Pattern.compile("\\..+\\.shredder-manifest(\\.\\d+)?");

    private static final String UPLOAD_SUFFIX = ".shredder-upload";

    private ManifestNames() {}

    /** The manifest of the file of this name. */
    public static String of(String fileName) {
        return PREFIX + fileName + SUFFIX;
    }

    /** The manifest of the file with id {@code fileId}, which had this name once. */
    public static String of(String fileName, long fileId) {
        return of(fileName) + "." + fileId;
    }

    /** The name of the file whose manifest has this name; empty if no file's has. */
    public static Optional<String> fileOf(String name) {
        boolean ours =
                name.length() > PREFIX.length() + SUFFIX.length() && name.startsWith(PREFIX) && name.endsWith(SUFFIX);
        return ours ? Optional.of(name.substring(PREFIX.length(), name.length() - SUFFIX.length())) : Optional.empty();
    }

    /** Whether a file of this name would be taken for a manifest. */
    public static boolean isManifest(String name) {
        return FORM.matcher(name).matches();
    }

    /** The folder that holds what is uploaded under this name until it is published. */
    public static String uploadFolder(String fileName) {
        return PREFIX + fileName + UPLOAD_SUFFIX;
    }
}
