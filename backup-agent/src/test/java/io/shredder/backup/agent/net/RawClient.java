// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameInput;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Message;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.WireFormat;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A client that says what it is told to, and nothing by itself. One thread. */
final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_MS = 30_000;

    private final Socket plain;
    private final Socket socket;

    RawClient(TlsFiles tls, int port) throws IOException {
        plain = new Socket("127.0.0.1", port);
        socket = ((JdkSslContext) tls.forClient(SslProvider.JDK))
                .context()
                .getSocketFactory()
                .createSocket(plain, "127.0.0.1", port, true);
        socket.setSoTimeout(TIMEOUT_MS);
    }

    /** Says which version it speaks, and takes the greeting. */
    RawClient hello(int version) throws IOException {
        send(WireFormat.NO_REQUEST, new Request.Hello(version, "raw"));
        Frame greeting = FrameInput.read(socket.getInputStream());
        if (greeting.type() != FrameType.GREETING) {
            throw new IOException("no greeting, but " + greeting.answer("agent"));
        }
        return this;
    }

    void send(int request, Message message) throws IOException {
        send(bytes(request, message));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** A message's frame without its last byte. */
    static byte[] cut(Message message) {
        byte[] frame = bytes(1, message);
        return Arrays.copyOf(frame, frame.length - 1);
    }

    static byte[] bytes(int request, Message message) {
        ByteBuffer frame = Frame.encode(request, message);
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    /** The agent's next word; keep-alives are none. */
    Frame read() throws IOException {
        Frame frame = FrameInput.read(socket.getInputStream());
        while (frame.type() == FrameType.KEEP_ALIVE) {
            frame = FrameInput.read(socket.getInputStream());
        }
        return frame;
    }

    /** At once, also while another thread sends: TLS would wait for that. */
    @Override
    public void close() throws IOException {
        plain.close();
    }
}
