// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * The first part of an NBD connection: newstyle negotiation by the NBD project's {@code doc/proto.md}. Asks for
 * structured replies and for a metadata context, such as what tells what is zero; goes on without where the server has
 * neither.
 */
final class NbdHandshake {

    private static final long MAGIC = 0x4e42444d41474943L;
    private static final long OPTION_MAGIC = 0x49484156454F5054L;
    private static final long REPLY_MAGIC = 0x3e889045565a9L;
    private static final int FIXED_NEWSTYLE = 1;
    private static final int NO_ZEROES = 2;
    private static final int OPTION_GO = 7;
    private static final int OPTION_STRUCTURED_REPLY = 8;
    private static final int OPTION_SET_META_CONTEXT = 10;
    private static final int REPLY_ACK = 1;
    private static final int REPLY_INFO = 3;
    private static final int REPLY_META_CONTEXT = 4;
    private static final int ERROR_BIT = 0x80000000;
    private static final int ERROR_TLS_REQUIRED = ERROR_BIT | 5;
    private static final int INFO_EXPORT = 0;
    private static final int SEND_WHOLE = 1 << 7;
    private static final int MAX_REPLY_BYTES = 1 << 16;

    private final NbdWire wire;
    private final byte[] export;
    private final NbdContext context;
    private long exportBytes = -1;
    private boolean wholeReplies;

    /**
     * What was agreed on.
     *
     * @param exportBytes length of the export
     * @param structured whether replies are structured
     * @param wholeReplies whether the server gives all bytes of a read in one part if it is asked to
     * @param context that the server was asked for
     * @param contextNumber its number, if the server tells it
     */
    record Agreement(
            long exportBytes,
            boolean structured,
            boolean wholeReplies,
            NbdContext context,
            OptionalInt contextNumber) {}

    /** A server's answer to an option. */
    private record Reply(int type, ByteBuffer data) {
        boolean isError() {
            return (type & ERROR_BIT) != 0;
        }
    }

    NbdHandshake(NbdWire wire, String export, NbdContext context) {
        this.context = context;
        this.wire = wire;
        this.export = export.getBytes(StandardCharsets.UTF_8);
    }

    Agreement agree() throws IOException {
        greet();
        send(OPTION_STRUCTURED_REPLY, ByteBuffer.allocate(0));
        boolean structured = !reply(OPTION_STRUCTURED_REPLY).isError();
        OptionalInt number = structured ? askForContext() : OptionalInt.empty();
        go();
        return new Agreement(exportBytes, structured, structured && wholeReplies, context, number);
    }

    private void greet() throws IOException {
        ByteBuffer greeting = wire.read(18);
        if (greeting.getLong() != MAGIC || greeting.getLong() != OPTION_MAGIC) {
            throw wire.broken("doesn't speak NBD as of 2013 or later: is it an NBD server?");
        }
        int flags = greeting.getShort();
        if ((flags & FIXED_NEWSTYLE) == 0) {
            throw wire.broken("knows only the first newstyle negotiation: upgrade it");
        }
        wire.write(ByteBuffer.allocate(4)
                .putInt(FIXED_NEWSTYLE | (flags & NO_ZEROES))
                .flip());
    }

    private OptionalInt askForContext() throws IOException {
        byte[] query = context.name().getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(4 + export.length + 4 + 4 + query.length)
                .putInt(export.length)
                .put(export)
                .putInt(1)
                .putInt(query.length)
                .put(query)
                .flip();
        send(OPTION_SET_META_CONTEXT, body);
        OptionalInt number = OptionalInt.empty();
        while (true) {
            Reply reply = reply(OPTION_SET_META_CONTEXT);
            if (reply.type() == REPLY_META_CONTEXT && reply.data().remaining() >= 4) {
                number = OptionalInt.of(reply.data().getInt());
            } else {
                return reply.isError() ? OptionalInt.empty() : number;
            }
        }
    }

    private void go() throws IOException {
        send(
                OPTION_GO,
                ByteBuffer.allocate(4 + export.length + 2)
                        .putInt(export.length)
                        .put(export)
                        .putShort((short) 0)
                        .flip());
        for (Reply reply = reply(OPTION_GO); reply.type() != REPLY_ACK; reply = reply(OPTION_GO)) {
            if (reply.isError()) {
                throw refused(reply);
            } else if (reply.type() == REPLY_INFO
                    && reply.data().remaining() >= 12
                    && reply.data().getShort() == INFO_EXPORT) {
                exportBytes = reply.data().getLong();
                wholeReplies = (reply.data().getShort() & SEND_WHOLE) != 0;
            }
        }
        if (exportBytes < 0) {
            throw wire.broken("didn't say how long its export is");
        }
    }

    private IOException refused(Reply reply) {
        if (reply.type() == ERROR_TLS_REQUIRED) {
            return wire.broken("asks for TLS, which is not supported: use a Unix socket or a tunnel");
        }
        String text = StandardCharsets.UTF_8.decode(reply.data()).toString();
        return wire.broken("refuses export '" + new String(export, StandardCharsets.UTF_8) + "': "
                + (text.isEmpty() ? "error " + (reply.type() & ~ERROR_BIT) : text));
    }

    private void send(int option, ByteBuffer body) throws IOException {
        wire.write(ByteBuffer.allocate(16 + body.remaining())
                .putLong(OPTION_MAGIC)
                .putInt(option)
                .putInt(body.remaining())
                .put(body)
                .flip());
    }

    private Reply reply(int option) throws IOException {
        ByteBuffer head = wire.read(20);
        if (head.getLong() != REPLY_MAGIC || head.getInt() != option) {
            throw wire.broken("answers something else than what it was asked in the negotiation");
        }
        int type = head.getInt();
        int length = head.getInt();
        if (length < 0 || length > MAX_REPLY_BYTES) {
            throw wire.broken("sends a negotiation reply of " + Integer.toUnsignedString(length) + " bytes");
        }
        return new Reply(type, wire.read(length));
    }
}
