// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client of an NBD server byte by byte: it sends what it is told to, right or wrong. */
public final class NbdTester implements Closeable {

    static final long OPTION_MAGIC = 0x49484156454F5054L;
    static final int STRUCTURED = 0x668e33ef;
    static final int SIMPLE = 0x67446698;

    private final SocketChannel channel;

    /** Answer to an option. */
    record Reply(int option, int type, byte[] data) {}

    /** A part of an answer to a request. */
    public record Part(boolean done, int type, long cookie, byte[] data) {
        ByteBuffer view() {
            return ByteBuffer.wrap(data);
        }
    }

    public NbdTester(Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
    }

    public void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    public ByteBuffer take(int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("closed after " + into.position() + " of " + bytes + " bytes");
            }
        }
        return into.flip();
    }

    /** The server's greeting is read, and answered. */
    NbdTester greet(int flags) throws IOException {
        ByteBuffer greeting = take(18);
        if (greeting.getLong() != 0x4e42444d41474943L
                || greeting.getLong() != OPTION_MAGIC
                || greeting.getShort() != 3) {
            throw new IOException("another greeting");
        }
        send(ByteBuffer.allocate(4).putInt(flags).flip());
        return this;
    }

    void option(int option, byte... data) throws IOException {
        send(ByteBuffer.allocate(16 + data.length)
                .putLong(OPTION_MAGIC)
                .putInt(option)
                .putInt(data.length)
                .put(data)
                .flip());
    }

    Reply reply() throws IOException {
        ByteBuffer head = take(20);
        if (head.getLong() != 0x3e889045565a9L) {
            throw new IOException("an answer without its magic");
        }
        int option = head.getInt();
        int type = head.getInt();
        return new Reply(option, type, take(head.getInt()).array());
    }

    /** Asks, and skips all answers but the last. */
    Reply ask(int option, byte... data) throws IOException {
        option(option, data);
        Reply reply = reply();
        while (reply.type() == 2 || reply.type() == 3 || reply.type() == 4) {
            reply = reply();
        }
        return reply;
    }

    static byte[] named(String name, int... infos) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer data = ByteBuffer.allocate(6 + bytes.length + 2 * infos.length)
                .putInt(bytes.length)
                .put(bytes)
                .putShort((short) infos.length);
        for (int info : infos) {
            data.putShort((short) info);
        }
        return data.array();
    }

    static byte[] context(String name, String... queries) {
        ByteBuffer data = ByteBuffer.allocate(4096);
        data.putInt(name.length()).put(name.getBytes(StandardCharsets.UTF_8)).putInt(queries.length);
        for (String query : queries) {
            data.putInt(query.length()).put(query.getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = new byte[data.flip().remaining()];
        data.get(bytes);
        return bytes;
    }

    /** Comes to where requests are sent, with structured replies and base:allocation. */
    public NbdTester go() throws IOException {
        greet(3);
        if (ask(8).type() != 1
                || ask(10, context("", "base:allocation")).type() != 1
                || ask(7, named("")).type() != 1) {
            throw new IOException("refused");
        }
        return this;
    }

    public void request(int flags, int type, long cookie, long offset, int length) throws IOException {
        send(ByteBuffer.allocate(28)
                .putInt(0x25609513)
                .putShort((short) flags)
                .putShort((short) type)
                .putLong(cookie)
                .putLong(offset)
                .putInt(length)
                .flip());
    }

    /** The error of a simple reply. */
    public int simple(long cookie) throws IOException {
        ByteBuffer head = take(16);
        if (head.getInt() != SIMPLE) {
            throw new IOException("not a simple reply");
        }
        int error = head.getInt();
        if (head.getLong() != cookie) {
            throw new IOException("another's reply");
        }
        return error;
    }

    public Part part() throws IOException {
        ByteBuffer head = take(20);
        if (head.getInt() != STRUCTURED) {
            throw new IOException("not a structured reply");
        }
        boolean done = (head.getShort() & 1) != 0;
        int type = Short.toUnsignedInt(head.getShort());
        long cookie = head.getLong();
        return new Part(done, type, cookie, take(head.getInt()).array());
    }

    boolean isClosed() throws IOException {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
