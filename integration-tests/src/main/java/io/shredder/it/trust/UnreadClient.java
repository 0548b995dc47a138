// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.Message;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.WireFormat;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSocketFactory;

/**
 * A connection of a client that asks and never takes an answer. It speaks a version without keep-alives, so silence is
 * no fault of it. One thread.
 */
final class UnreadClient implements Closeable {
    private final Socket plain;
    private final Socket secure;

    UnreadClient(SSLSocketFactory sockets, int port) throws IOException {
        plain = new Socket(InetAddress.getLoopbackAddress(), port);
        secure = sockets.createSocket(plain, "127.0.0.1", port, true);
        send(WireFormat.NO_REQUEST, new Request.Hello(WireFormat.MIN_VERSION, "never reads"));
    }

    /** Connections with a certificate. */
    static SSLSocketFactory sockets(TlsFiles tls) throws IOException {
        return ((JdkSslContext) tls.forClient(SslProvider.JDK)).context().getSocketFactory();
    }

    void send(int request, Message message) throws IOException {
        ByteBuffer frame = Frame.encode(request, message);
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        secure.getOutputStream().write(bytes);
        secure.getOutputStream().flush();
    }

    /** At once, whatever TLS would still say. */
    @Override
    public void close() throws IOException {
        plain.close();
    }
}
