// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongSupplier;

/**
 * Some space that is kept in a file of zeros, so that on a full disk there is room for what deleting needs: a line of
 * the audit log, an entry of the index. Safe for any number of threads.
 */
public final class SpaceReserve {

    private static final int BLOCK_BYTES = 1 << 16;

    private final Path file;
    private final LongSupplier mostBytes;

    /** Something that writes little, to be done again from its start if the disk was full. */
    public interface Write {
        /** Does it. */
        void run() throws IOException;
    }

    /**
     * Nothing is written yet.
     *
     * @param mostBytes how much to keep, asked whenever the reserve is filled
     */
    public SpaceReserve(Path file, LongSupplier mostBytes) {
        this.file = file;
        this.mostBytes = mostBytes;
    }

    /** Fills the reserve up, on a full disk as far as it goes; one that is larger is cut. */
    public synchronized void fill() throws IOException {
        long bytes = mostBytes.getAsLong();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            ByteBuffer zeros = ByteBuffer.allocate(BLOCK_BYTES);
            if (channel.size() > bytes) {
                channel.truncate(bytes);
            }
            for (long at = channel.size(); at < bytes; at = channel.size()) {
                zeros.clear().limit((int) Math.min(BLOCK_BYTES, bytes - at));
                DurableFiles.writeFully(channel, zeros, at);
            }
        } catch (IOException e) {
            if (!DurableFiles.isFull(e)) {
                throw e;
            }
        }
    }

    /** Does something that makes room in the end; if the disk is full, once more without the reserve. */
    public void withRoom(Write write) throws IOException {
        try {
            write.run();
        } catch (IOException e) {
            if (!DurableFiles.isFull(e)) {
                throw e;
            }
            release();
            write.run();
        }
    }

    private synchronized void release() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            channel.truncate(0);
        }
    }
}
