// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of a local file system.
 *
 * @param root the folder, which must exist
 */
record DiskFolder(Path root) implements IndexFolder {

    @Override
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    @Override
    public File create(String name) throws IOException {
        return new DiskFile(FileChannel.open(
                root.resolve(name),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public File open(String name) throws IOException {
        return new DiskFile(FileChannel.open(root.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Opens a file that exists and may not be writable; nothing can be written to it. */
    File openToRead(String name) throws IOException {
        return new DiskFile(FileChannel.open(root.resolve(name), StandardOpenOption.READ));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(root.resolve(name));
    }

    @Override
    public void force() throws IOException {
        DurableFiles.forceFolder(root);
    }

    /** Its threads must not be interrupted while they read: Java closes the channel then. */
    private record DiskFile(FileChannel channel) implements File {

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void read(ByteBuffer target, long offset) throws IOException {
            try {
                DurableFiles.readFully(channel, target, offset);
            } catch (ClosedChannelException e) {
                throw new IOException("the index was closed, or a thread interrupted while it read", e);
            }
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            DurableFiles.writeFully(channel, bytes, offset);
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
