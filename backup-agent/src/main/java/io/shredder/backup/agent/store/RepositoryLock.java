// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps other processes out. The kernel drops it when the process dies, however it dies: there are no stale locks. */
final class RepositoryLock implements Closeable {

    static final String FILE = "lock";

    private final FileChannel channel;

    private RepositoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static RepositoryLock acquire(Path root) throws IOException {
        Path file = root.resolve(FILE);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (tryLock(channel) == null) {
                throw inUse(root);
            }
            writePid(channel);
            return new RepositoryLock(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Keeps agents out of a repository that this user can't write, beside others that only read.
     *
     * @return empty if there is no file to lock, or the file system can't
     */
    static Optional<RepositoryLock> acquireShared(Path root) throws IOException {
        Path file = root.resolve(FILE);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        boolean locked = false;
        try {
            locked = channel.tryLock(0, Long.MAX_VALUE, true) != null;
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw inUse(root);
        } catch (IOException e) {
            channel.close();
            return Optional.empty();
        }
        if (!locked) {
            channel.close();
            throw inUse(root);
        }
        return Optional.of(new RepositoryLock(channel));
    }

    private static IOException inUse(Path root) throws IOException {
        return new IOException("repository " + root + " is in use by process "
                + Files.readString(root.resolve(FILE)).strip() + ": stop that agent first");
    }

    /** For error messages only: always as long, so that it needs no new space, and not worth failing for. */
    private static void writePid(FileChannel channel) throws IOException {
        String pid = String.format("%-19d%n", ProcessHandle.current().pid());
        try {
            channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
        } catch (IOException e) {
            if (!DurableFiles.isFull(e)) {
                throw e;
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
