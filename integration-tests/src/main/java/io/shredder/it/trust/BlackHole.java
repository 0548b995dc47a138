// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A way to an agent on which the first connection, once it has sent so much, is heard of no more, though nobody hangs
 * up: as behind a router that lost its power. All others pass.
 */
final class BlackHole implements Closeable {
    private static final int PIECE_BYTES = 1 << 14;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int agentPort;
    private final int passedBytes;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CountDownLatch swallowed = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    BlackHole(int agentPort, int passedBytes) throws IOException {
        this.agentPort = agentPort;
        this.passedBytes = passedBytes;
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Whether a connection has got lost by now. */
    boolean hasSwallowed() {
        return swallowed.getCount() == 0;
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        return; // One of the ends has hung up.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "black-hole");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket agent = new Socket(InetAddress.getLoopbackAddress(), agentPort);
            boolean hangs = !taken.getAndSet(true);
            start(() -> pass(client, agent, hangs ? passedBytes : Long.MAX_VALUE));
            start(() -> pass(agent, client, hangs ? Long.MAX_VALUE - 1 : Long.MAX_VALUE));
        }
    }

    private void pass(Socket from, Socket to, long most) throws IOException, InterruptedException {
        try (to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE_BYTES];
            long passed = 0;
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                passed += count;
                if (passed > most) {
                    swallowed.countDown();
                }
                if (most < Long.MAX_VALUE && hasSwallowed()) {
                    never.await();
                }
                out.write(piece, 0, count);
            }
            if (most < Long.MAX_VALUE && hasSwallowed()) {
                never.await();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
