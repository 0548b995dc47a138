// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A loopback port that leads to a server; each kind says when bytes pass. Its threads end with the connections. */
public abstract class Relay implements Closeable {

    /** The most bytes that are passed at once. */
    protected static final int PIECE_BYTES = 1 << 16;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;

    protected Relay(InetSocketAddress target) throws IOException {
        this.target = target;
    }

    /** Takes connections from now on: the last step of a constructor. */
    protected final void open() {
        start("link-accept", this::accept);
    }

    /** Where it listens. */
    public final int port() {
        return listener.getLocalPort();
    }

    /** Passes what either end of a new connection sends, on own threads, until one hangs up; then closes both. */
    protected abstract void join(Socket client, Socket server);

    /** What may end by a socket that the other direction, or the test, has closed. */
    protected interface Work {
        void run() throws IOException, InterruptedException;
    }

    protected static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One of the ends has hung up.
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = listener.accept();
            Socket far = new Socket(target.getAddress(), target.getPort());
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            join(near, far);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
