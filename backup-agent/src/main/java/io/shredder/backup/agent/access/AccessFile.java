// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The rules in a file, read again when a client connects after the file changed. A changed file that is wrong is
 * reported in the log, and the rules before it hold. Safe for any number of threads.
 */
public final class AccessFile {

    private static final long MAX_BYTES = 1 << 20;

    private final @Nullable FollowedFile<AccessRules> file;

    private AccessFile(@Nullable FollowedFile<AccessRules> file) {
        this.file = file;
    }

    /** No file: {@link AccessRules#APPEND_AND_RESTORE}. */
    public static AccessFile none() {
        return new AccessFile(null);
    }

    /**
     * Reads a file, which must be right.
     *
     * @throws ConfigException naming all that is wrong, each with its line and column
     * @throws IOException if it can't be read
     */
    public static AccessFile open(Path file) throws IOException {
        return new AccessFile(new FollowedFile<>(file, "file of rights", () -> read(file)));
    }

    /** The rules as they are now. */
    public AccessRules current() {
        return file == null ? AccessRules.APPEND_AND_RESTORE : file.current();
    }

    private static AccessRules read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is longer than " + MAX_BYTES + " bytes: is it the file of rights?");
        }
        return AccessParser.parse(Files.readString(file, StandardCharsets.UTF_8), file);
    }
}
