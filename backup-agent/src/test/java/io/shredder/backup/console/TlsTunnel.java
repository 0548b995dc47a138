// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;

/** A port of this machine whose connections go on by TLS, as somebody who has a certificate. */
public final class TlsTunnel implements Closeable {

    private final ServerSocket listener;
    private final SSLContext person;
    private final int to;

    /** @param to port on this machine */
    public TlsTunnel(SSLContext person, int to) throws IOException {
        this.person = person;
        this.to = to;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "tunnel");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                start(() -> join(near));
            } catch (IOException e) {
                return; // It is closed.
            }
        }
    }

    private void join(Socket near) {
        try (near;
                Socket far = person.getSocketFactory().createSocket("localhost", to)) {
            start(() -> copy(near, far));
            copy(far, near);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until one of them ends. */
    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[8192];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                out.write(some, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            return; // One of them has ended, and the other then does.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
