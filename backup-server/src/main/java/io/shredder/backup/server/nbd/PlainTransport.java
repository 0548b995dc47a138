// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes as they are, over TCP or a Unix socket. */
final class PlainTransport implements NbdTransport {

    private final SocketChannel channel;

    /** Closes the channel, which blocks. */
    PlainTransport(SocketChannel channel) {
        this.channel = channel;
    }

    SocketChannel channel() {
        return channel;
    }

    @Override
    public void read(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the client closed the connection");
            }
        }
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
