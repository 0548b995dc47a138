// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.agent.file.FileStamp;
import io.shredder.backup.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file says, read again once the file has changed. If it says something wrong then, or can't be read, what it
 * said before holds, and the log says so, once for each reason. What can't be read is tried again each time: the file
 * need not change for that. Safe for any number of threads.
 */
final class FollowedFile<T> {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedFile.class);

    /** What is read. */
    interface Content<T> {
        /**
         * Reads it.
         *
         * @throws IOException one of configuration, or caused by a {@link GeneralSecurityException}, if it is wrong
         */
        T read() throws IOException;
    }

    private final Path file;
    private final String what;
    private final Content<T> content;
    private T said;
    private String stamp;
    private String failure = "";

    /**
     * Reads it, which must be right.
     *
     * @param what it is, for the log
     */
    FollowedFile(Path file, String what, Content<T> content) throws IOException {
        this.file = file;
        this.what = what;
        this.content = content;
        this.stamp = FileStamp.of(file);
        this.said = content.read();
    }

    /** What it says now. */
    synchronized T current() {
        try {
            String now = FileStamp.of(file);
            if (!now.equals(stamp)) {
                readAgain(now);
            }
        } catch (IOException e) {
            log(e);
        }
        return said;
    }

    private void readAgain(String now) throws IOException {
        try {
            said = content.read();
            stamp = now;
            failure = "";
            LOG.info("read the changed {} {}", what, file);
        } catch (IOException e) {
            if (e instanceof ConfigException || e.getCause() instanceof GeneralSecurityException) {
                stamp = now;
            }
            throw e;
        }
    }

    private void log(IOException reason) {
        if (!reason.toString().equals(failure)) {
            failure = reason.toString();
            LOG.error("the {} {} stays as it was: {}", what, file, reason.getMessage());
        }
    }
}
