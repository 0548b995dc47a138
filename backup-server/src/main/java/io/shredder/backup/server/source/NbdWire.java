// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * The bytes of an NBD connection, over TCP or a Unix socket. A server that is silent for too long is an error, not a
 * hang. One thread; {@link #close} may be called by any, and ends what blocks.
 */
final class NbdWire implements Closeable {

    private final String server;
    private final Duration timeout;
    private final SocketChannel channel;
    private final Selector selector;

    /** Whoever gets it closes it. */
    NbdWire(NbdUri uri, Duration timeout) throws IOException {
        this.server = uri.toString();
        this.timeout = timeout;
        this.selector = Selector.open();
        try {
            this.channel = connect(uri);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e instanceof java.nio.channels.UnresolvedAddressException
                    ? new IOException("can't reach NBD server " + server + ": the host is unknown", e)
                    : new IOException(
                            "can't reach NBD server " + server + ": " + e.getMessage() + ": is it running?", e);
        }
    }

    private SocketChannel connect(NbdUri uri) throws IOException {
        boolean unix = uri.server() instanceof java.net.UnixDomainSocketAddress;
        SocketChannel opened = unix ? SocketChannel.open(java.net.StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            if (unix) {
                opened.connect(uri.server());
                opened.configureBlocking(false);
                opened.register(selector, 0);
            } else {
                opened.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
                opened.configureBlocking(false);
                opened.register(selector, SelectionKey.OP_CONNECT);
                if (!opened.connect(uri.server())) {
                    await(opened, SelectionKey.OP_CONNECT);
                    opened.finishConnect();
                }
            }
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** Fills the buffer up to its limit. */
    void read(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            int count = receive(into);
            if (count < 0) {
                throw new IOException("NBD server " + server + " closed the connection");
            } else if (count == 0) {
                await(channel, SelectionKey.OP_READ);
            }
        }
    }

    /** The next bytes as a buffer of their own, big-endian, ready to be read. */
    ByteBuffer read(int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        read(buffer);
        return buffer.flip();
    }

    /** Sends what the buffer holds up to its limit. */
    void write(ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            if (deliver(from) == 0) {
                await(channel, SelectionKey.OP_WRITE);
            }
        }
    }

    private int receive(ByteBuffer into) throws IOException {
        try {
            return channel.read(into);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private int deliver(ByteBuffer from) throws IOException {
        try {
            return channel.write(from);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** What the system says of a connection names nobody; a closed or interrupted channel is our own doing. */
    private IOException lost(IOException e) {
        return e instanceof ClosedChannelException
                ? e
                : new IOException("connection to NBD server " + server + " lost: " + e.getMessage(), e);
    }

    private void await(SocketChannel waiting, int operation) throws IOException {
        SelectionKey key = waiting.keyFor(selector);
        key.interestOps(operation);
        int ready = selector.select(timeout.toMillis());
        selector.selectedKeys().clear();
        if (ready == 0) {
            throw new IOException(
                    Thread.currentThread().isInterrupted() || !selector.isOpen()
                            ? "interrupted"
                            : "NBD server " + server + " has been silent for " + timeout.toSeconds() + " s");
        }
    }

    /** An error that names the server. */
    IOException broken(String what) {
        return new IOException("NBD server " + server + " " + what);
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            channel.close();
        }
    }
}
