// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** A small file that was read whole, as it was then. */
public final class BytesReadable implements ReadableFile {

    private final ByteBuffer bytes;
    private volatile boolean closed;

    /** @param bytes from its position on; stays as it is from now on */
    public BytesReadable(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public long size() {
        return bytes.remaining();
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int from = (int) Math.min(position, bytes.remaining());
        int count = Math.min(target.remaining(), bytes.remaining() - from);
        target.put(bytes.slice(bytes.position() + from, count));
        if (target.hasRemaining()) {
            throw new EOFException("ends at " + bytes.remaining());
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
