// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A temporary file that is written from its beginning and may be read meanwhile; {@link #close} deletes it unless it
 * was moved away. Not safe for several threads.
 */
final class DraftFile implements Closeable {

    private final Path path;
    private final FileChannel channel;
    private long written;

    DraftFile(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    Path path() {
        return path;
    }

    /** Where the next byte goes. */
    long written() {
        return written;
    }

    /** Writes all remaining bytes. */
    void write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        DurableFiles.writeFully(channel, bytes, written);
        written += length;
    }

    /** Writes over bytes that were written. */
    void rewrite(ByteBuffer bytes, long at) throws IOException {
        DurableFiles.writeFully(channel, bytes, at);
    }

    /** Bytes that were written. */
    ByteBuffer read(long from, long to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
        DurableFiles.readFully(channel, bytes, from);
        return bytes.flip();
    }

    /** Checks the file's length and makes it durable. */
    void force() throws IOException {
        if (channel.size() != written) {
            throw new IOException(path + " has " + channel.size() + " bytes, not " + written);
        }
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
