// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A request of a flood, on a connection of its own that nobody waits for. For one thread. */
final class FloodRequest {
    private static final long LIFE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final ByteBuffer SCRATCH = ByteBuffer.allocateDirect(1 << 16);
    private static final String GOOD = "HTTP/1.1 200";

    private final SocketChannel channel;
    private final ByteBuffer left;
    private final ByteBuffer begin = ByteBuffer.allocate(GOOD.length());
    private final long endNs = System.nanoTime() + LIFE_NS;
    private boolean whole;

    private FloodRequest(SocketChannel channel, byte[] request) {
        this.channel = channel;
        this.left = ByteBuffer.wrap(request);
    }

    static FloodRequest begin(InetSocketAddress address, byte[] request) {
        try {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            FloodRequest begun = new FloodRequest(channel, request);
            if (channel.connect(address)) {
                channel.write(begun.left);
            }
            return begun;
        } catch (IOException e) {
            throw new IllegalStateException("this process can't open a connection", e);
        }
    }

    /** Does what can be done without waiting; false once it has ended, and is closed. */
    boolean goesOn() {
        try {
            if (System.nanoTime() < endNs && (!channel.finishConnect() || writeAndRead())) {
                return true;
            }
        } catch (IOException e) {
            // The console gave it up.
        }
        close();
        return false;
    }

    private boolean writeAndRead() throws IOException {
        channel.write(left);
        ByteBuffer into = SCRATCH.duplicate();
        int read = channel.read(into.clear());
        while (read > 0) {
            into.flip();
            while (begin.hasRemaining() && into.hasRemaining()) {
                begin.put(into.get());
            }
            read = channel.read(into.clear());
        }
        whole = read < 0;
        return !whole;
    }

    /** Whether the answer came to its end and is no refusal. */
    boolean isAnswered() {
        return whole && new String(begin.array(), StandardCharsets.US_ASCII).equals(GOOD);
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("a connection can't be closed", e);
        }
    }
}
