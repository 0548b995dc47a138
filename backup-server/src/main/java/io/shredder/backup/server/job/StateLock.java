// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Holds a state folder for one daemon. The kernel drops the lock with the process, so there are no stale ones. */
public final class StateLock implements Closeable {

    private final Path folder;
    private final FileChannel channel;

    private StateLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /**
     * Makes the folder if it isn't there, and takes it.
     *
     * @throws IOException if another daemon has it
     */
    public static StateLock take(Path folder) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            throw new IOException("state folder " + folder + " is in use by another daemon: stop it, or name another"
                    + " folder as 'state' in the configuration");
        }
        return new StateLock(folder, channel);
    }

    /** The folder that is held. */
    public Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
