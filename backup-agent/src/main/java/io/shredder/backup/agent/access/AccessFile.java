// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.agent.file.FileStamp;
import io.shredder.backup.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules in a file, read again when a client connects after the file changed. A changed file that is wrong is
 * reported in the log, and the rules before it hold. Safe for any number of threads.
 */
public final class AccessFile {

    private static final Logger LOG = LoggerFactory.getLogger(AccessFile.class);
    private static final long MAX_BYTES = 1 << 20;

    private final @Nullable Path file;
    private AccessRules rules;
    private String stamp = "";

    private AccessFile(@Nullable Path file, AccessRules rules) {
        this.file = file;
        this.rules = rules;
    }

    /** No file: {@link AccessRules#APPEND_AND_RESTORE}. */
    public static AccessFile none() {
        return new AccessFile(null, AccessRules.APPEND_AND_RESTORE);
    }

    /**
     * Reads a file, which must be right.
     *
     * @throws ConfigException naming all that is wrong, each with its line and column
     * @throws IOException if it can't be read
     */
    public static AccessFile open(Path file) throws IOException {
        String stamp = FileStamp.of(file);
        AccessFile opened = new AccessFile(file, read(file));
        opened.stamp = stamp;
        return opened;
    }

    /** The rules as they are now. */
    public synchronized AccessRules current() {
        if (file != null) {
            try {
                String now = FileStamp.of(file);
                if (!now.equals(stamp)) {
                    stamp = now;
                    rules = read(file);
                    LOG.info("read the changed rights in {}", file);
                }
            } catch (IOException e) {
                LOG.error("the rights in {} stay as they were: {}", file, e.getMessage());
            }
        }
        return rules;
    }

    private static AccessRules read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is longer than " + MAX_BYTES + " bytes: is it the file of rights?");
        }
        return AccessParser.parse(Files.readString(file, StandardCharsets.UTF_8), file);
    }
}
