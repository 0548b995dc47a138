// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Bytes under TLS 1.3, of a client whose certificate the authority signed. */
final class TlsTransport implements NbdTransport {

    private static final int COPY_BYTES = 16 << 10;

    private final SocketChannel channel;
    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] sent = new byte[COPY_BYTES];

    private TlsTransport(SocketChannel channel, SSLSocket socket) throws IOException {
        this.channel = channel;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Shakes hands on a connection on which both sides have agreed to. */
    static TlsTransport over(SocketChannel channel, SSLContext context) throws IOException {
        Socket plain = channel.socket();
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(true);
        socket.startHandshake();
        return new TlsTransport(channel, socket);
    }

    @Override
    public void read(ByteBuffer into) throws IOException {
        byte[] bytes = into.hasArray() ? into.array() : new byte[Math.min(into.remaining(), COPY_BYTES)];
        while (into.hasRemaining()) {
            int at = into.hasArray() ? into.arrayOffset() + into.position() : 0;
            int count =
                    in.read(bytes, at, into.hasArray() ? into.remaining() : Math.min(into.remaining(), bytes.length));
            if (count < 0) {
                throw new EOFException("the client closed the connection");
            } else if (into.hasArray()) {
                into.position(into.position() + count);
            } else {
                into.put(bytes, 0, count);
            }
        }
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            int count = Math.min(from.remaining(), sent.length);
            from.get(sent, 0, count);
            out.write(sent, 0, count);
        }
    }

    /** Says that it ends, unless somebody is stuck in sending; then closes what is below. */
    @Override
    public void close() throws IOException {
        Thread goodbye = new Thread(
                () -> {
                    try {
                        socket.shutdownOutput();
                    } catch (IOException e) {
                        // The client is gone already.
                    }
                },
                "nbd-goodbye");
        goodbye.setDaemon(true);
        goodbye.start();
        try {
            goodbye.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.close();
    }
}
