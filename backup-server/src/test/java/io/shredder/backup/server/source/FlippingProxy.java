// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Carries one connection to a server, and flips one bit of what the server sends. */
final class FlippingProxy implements Closeable {

    private final ServerSocket listener;
    private final int serverPort;
    private final long flipAt;
    private final int bit;

    /**
     * Listens.
     *
     * @param flipAt which byte of the server's is hit
     */
    FlippingProxy(int serverPort, long flipAt, int bit) throws IOException {
        this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.flipAt = flipAt;
        this.bit = bit;
        start(this::carry);
    }

    int port() {
        return listener.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "flipping-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void carry() {
        try (Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            start(() -> {
                pump(client, server, -1);
                closeBoth(client, server);
            });
            pump(server, client, flipAt);
        } catch (IOException e) {
            // The test has ended, or a side hung up: the client sees it.
            return;
        }
    }

    private static void closeBoth(Socket client, Socket server) {
        try (client;
                server) {
            client.shutdownInput();
        } catch (IOException e) {
            // Closed by the other side already.
            return;
        }
    }

    private void pump(Socket from, Socket to, long hit) {
        byte[] buffer = new byte[1 << 16];
        long passed = 0;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (hit >= passed && hit < passed + count) {
                    buffer[(int) (hit - passed)] ^= (byte) (1 << bit);
                }
                passed += count;
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // A side hung up: the other one is closed by whoever carries.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
