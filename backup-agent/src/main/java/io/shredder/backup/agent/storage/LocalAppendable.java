// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A local file that grows. */
final class LocalAppendable implements AppendableFile {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final FileChannel channel;
    private final WriteBehind.OfFile behind;
    private long end;
    private boolean sound = true;

    /** Owns the channel, shares the threads. */
    LocalAppendable(FileChannel channel, long end, WriteBehind threads) {
        this.channel = channel;
        this.end = end;
        this.behind = threads.of(channel);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        append(bytes, NOTHING);
    }

    @Override
    public void append(ByteBuffer first, ByteBuffer second) throws IOException {
        int length = first.remaining() + second.remaining();
        try {
            long secondAt = end + first.remaining();
            DurableFiles.writeFully(channel, first, end);
            DurableFiles.writeFully(channel, second, secondAt);
        } catch (IOException e) {
            cutBack(e);
            throw e;
        }
        end += length;
    }

    private void cutBack(IOException cause) {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
            sound = false;
        }
    }

    @Override
    public void writeBehind() throws IOException {
        try {
            behind.start();
        } catch (IOException e) {
            sound = false;
            throw e;
        }
    }

    @Override
    public void force() throws IOException {
        try {
            behind.await();
            channel.force(false);
        } catch (IOException e) {
            sound = false;
            throw e;
        }
    }

    @Override
    public void show() {}

    @Override
    public boolean showsAtOnce() {
        return true;
    }

    @Override
    public boolean canGrow() {
        return true;
    }

    @Override
    public boolean isSound() {
        return sound;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
