// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The first part of a connection, fixed newstyle negotiation: options one by one, until the client wants the export or
 * leaves. What breaks the protocol beyond answering ends the connection. One thread.
 */
final class NbdNegotiation {

    static final int ALLOCATION_ID = 1;

    private static final int MIN_BLOCK_BYTES = 1;
    private static final int PREFERRED_BLOCK_BYTES = 64 << 10;

    /** Behind the export's name in an answer to EXPORT_NAME. */
    private static final int RESERVED_BYTES = 124;

    /** A longer option is skipped, and one of more than that ends the connection. */
    private static final int MAX_OPTION_BYTES = 64 << 10;

    private static final int MAX_SKIPPED_BYTES = 16 << 20;

    private final NbdVolume volume;
    private final Optional<SSLContext> tls;
    private NbdTransport transport;
    private boolean secured;
    private boolean noZeroes;
    private boolean structured;
    private boolean allocation;

    /**
     * What was agreed on.
     *
     * @param transport that goes on, under TLS if that was agreed on
     * @param structured whether replies to reads are structured
     * @param allocation whether the client may ask what is a hole
     */
    record Agreement(NbdTransport transport, boolean structured, boolean allocation) {}

    /** An option that can't be answered with what it asks for. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int reply;

        RefusedException(int reply, String text) {
            super(text);
            this.reply = reply;
        }
    }

    NbdNegotiation(NbdVolume volume, Optional<SSLContext> tls, NbdTransport transport) {
        this.volume = volume;
        this.tls = tls;
        this.transport = transport;
    }

    /** Negotiates; empty if the client left, as it may. */
    Optional<Agreement> agree() throws IOException {
        transport.write(ByteBuffer.allocate(18)
                .putLong(NbdNumbers.MAGIC)
                .putLong(NbdNumbers.OPTION_MAGIC)
                .putShort((short) (NbdNumbers.FLAG_FIXED_NEWSTYLE | NbdNumbers.FLAG_NO_ZEROES))
                .flip());
        int flags = transport.read(4).getInt();
        if ((flags & ~(NbdNumbers.FLAG_FIXED_NEWSTYLE | NbdNumbers.FLAG_NO_ZEROES)) != 0) {
            throw new IOException("unknown flags " + Integer.toHexString(flags) + " in the negotiation");
        }
        noZeroes = (flags & NbdNumbers.FLAG_NO_ZEROES) != 0;
        while (true) {
            ByteBuffer head = transport.read(16);
            if (head.getLong() != NbdNumbers.OPTION_MAGIC) {
                throw new IOException("an option without its magic");
            }
            int option = head.getInt();
            Optional<Boolean> goesOn = answer(option, Integer.toUnsignedLong(head.getInt()));
            if (goesOn.isPresent()) {
                return goesOn.get()
                        ? Optional.of(new Agreement(transport, structured, allocation && structured))
                        : Optional.empty();
            }
        }
    }

    /** Answers an option; tells whether requests come next, or nothing, if it is the last. */
    private Optional<Boolean> answer(int option, long length) throws IOException {
        if (length > MAX_OPTION_BYTES) {
            if (length > MAX_SKIPPED_BYTES || option == NbdNumbers.OPT_EXPORT_NAME) {
                throw new IOException("an option of " + length + " bytes");
            }
            transport.skip(length);
            reply(option, NbdNumbers.REP_ERR_TOO_BIG, text("at most " + MAX_OPTION_BYTES + " bytes"));
            return Optional.empty();
        }
        ByteBuffer data = transport.read((int) length);
        try {
            if (tls.isPresent() && !secured && option != NbdNumbers.OPT_STARTTLS && option != NbdNumbers.OPT_ABORT) {
                if (option == NbdNumbers.OPT_EXPORT_NAME) {
                    throw new IOException("a client without TLS asked for the export");
                }
                throw new RefusedException(NbdNumbers.REP_ERR_TLS_REQD, "TLS with a certificate is required");
            }
            return answer(option, data);
        } catch (RefusedException e) {
            reply(option, e.reply, text(String.valueOf(e.getMessage())));
        } catch (BufferUnderflowException e) {
            reply(option, NbdNumbers.REP_ERR_INVALID, text("the option ends early"));
        }
        return Optional.empty();
    }

    private Optional<Boolean> answer(int option, ByteBuffer data) throws IOException, RefusedException {
        switch (option) {
            case NbdNumbers.OPT_EXPORT_NAME -> {
                byte[] name = new byte[data.remaining()];
                data.get(name);
                exportName(new String(name, StandardCharsets.UTF_8));
                return Optional.of(true);
            }
            case NbdNumbers.OPT_ABORT -> {
                reply(option, NbdNumbers.REP_ACK, ByteBuffer.allocate(0));
                return Optional.of(false);
            }
            case NbdNumbers.OPT_LIST -> list(data);
            case NbdNumbers.OPT_STARTTLS -> startTls(data);
            case NbdNumbers.OPT_INFO, NbdNumbers.OPT_GO -> {
                info(option, data);
                return option == NbdNumbers.OPT_GO ? Optional.of(true) : Optional.empty();
            }
            case NbdNumbers.OPT_STRUCTURED_REPLY -> {
                checkEnd(data);
                structured = true;
                reply(option, NbdNumbers.REP_ACK, ByteBuffer.allocate(0));
            }
            case NbdNumbers.OPT_LIST_META_CONTEXT, NbdNumbers.OPT_SET_META_CONTEXT -> contexts(option, data);
            default -> throw new RefusedException(NbdNumbers.REP_ERR_UNSUP, "option " + option + " is not known here");
        }
        return Optional.empty();
    }

    private static void checkEnd(ByteBuffer data) throws RefusedException {
        if (data.hasRemaining()) {
            throw new RefusedException(NbdNumbers.REP_ERR_INVALID, data.remaining() + " bytes too many");
        }
    }

    private void exportName(String name) throws IOException {
        if (!isCalled(name)) {
            throw new IOException("a client asked for an export that is not here");
        }
        ByteBuffer answer =
                ByteBuffer.allocate(10 + RESERVED_BYTES).putLong(volume.size()).putShort((short) flags());
        transport.write(answer.position(noZeroes ? 10 : answer.capacity()).flip());
    }

    private void list(ByteBuffer data) throws IOException, RefusedException {
        checkEnd(data);
        byte[] name = volume.name().getBytes(StandardCharsets.UTF_8);
        reply(
                NbdNumbers.OPT_LIST,
                NbdNumbers.REP_SERVER,
                ByteBuffer.allocate(4 + name.length)
                        .putInt(name.length)
                        .put(name)
                        .flip());
        reply(NbdNumbers.OPT_LIST, NbdNumbers.REP_ACK, ByteBuffer.allocate(0));
    }

    private void startTls(ByteBuffer data) throws IOException, RefusedException {
        checkEnd(data);
        if (secured) {
            throw new RefusedException(NbdNumbers.REP_ERR_INVALID, "TLS has begun already");
        } else if (tls.isEmpty() || !(transport instanceof PlainTransport plain)) {
            throw new RefusedException(NbdNumbers.REP_ERR_POLICY, "there is no TLS on this socket");
        } else {
            reply(NbdNumbers.OPT_STARTTLS, NbdNumbers.REP_ACK, ByteBuffer.allocate(0));
            transport = TlsTransport.over(plain.channel(), tls.get());
            secured = true;
        }
    }

    private void info(int option, ByteBuffer data) throws IOException, RefusedException {
        checkExport(string(data));
        List<Integer> wanted = new ArrayList<>();
        for (int left = Short.toUnsignedInt(data.getShort()); left > 0; left--) {
            wanted.add(Short.toUnsignedInt(data.getShort()));
        }
        checkEnd(data);
        if (wanted.contains(NbdNumbers.INFO_NAME)) {
            infoText(option, NbdNumbers.INFO_NAME, volume.name());
        }
        if (wanted.contains(NbdNumbers.INFO_DESCRIPTION)) {
            infoText(option, NbdNumbers.INFO_DESCRIPTION, volume.description());
        }
        reply(
                option,
                NbdNumbers.REP_INFO,
                ByteBuffer.allocate(14)
                        .putShort((short) NbdNumbers.INFO_BLOCK_SIZE)
                        .putInt(MIN_BLOCK_BYTES)
                        .putInt(PREFERRED_BLOCK_BYTES)
                        .putInt(NbdNumbers.MAX_BLOCK_BYTES)
                        .flip());
        reply(
                option,
                NbdNumbers.REP_INFO,
                ByteBuffer.allocate(12)
                        .putShort((short) NbdNumbers.INFO_EXPORT)
                        .putLong(volume.size())
                        .putShort((short) flags())
                        .flip());
        reply(option, NbdNumbers.REP_ACK, ByteBuffer.allocate(0));
    }

    private void infoText(int option, int type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        reply(
                option,
                NbdNumbers.REP_INFO,
                ByteBuffer.allocate(2 + bytes.length)
                        .putShort((short) type)
                        .put(bytes)
                        .flip());
    }

    private void contexts(int option, ByteBuffer data) throws IOException, RefusedException {
        boolean sets = option == NbdNumbers.OPT_SET_META_CONTEXT;
        String name = string(data);
        int count = data.getInt();
        if (count < 0 || count > data.remaining() / 4) {
            throw new BufferUnderflowException();
        }
        boolean found = count == 0 && !sets;
        for (int i = 0; i < count; i++) {
            String query = string(data);
            found |= query.equals(NbdNumbers.ALLOCATION) || (!sets && query.equals(NbdNumbers.BASE));
        }
        checkEnd(data);
        if (sets) {
            allocation = false;
            if (!structured) {
                throw new RefusedException(NbdNumbers.REP_ERR_INVALID, "only with structured replies");
            }
        }
        checkExport(name);
        if (found) {
            byte[] context = NbdNumbers.ALLOCATION.getBytes(StandardCharsets.UTF_8);
            reply(
                    option,
                    NbdNumbers.REP_META_CONTEXT,
                    ByteBuffer.allocate(4 + context.length)
                            .putInt(sets ? ALLOCATION_ID : 0)
                            .put(context)
                            .flip());
            allocation |= sets;
        }
        reply(option, NbdNumbers.REP_ACK, ByteBuffer.allocate(0));
    }

    private void checkExport(String name) throws RefusedException {
        if (!isCalled(name)) {
            throw new RefusedException(
                    NbdNumbers.REP_ERR_UNKNOWN, "the one export here is '" + volume.name() + "', also the default one");
        }
    }

    private static String string(ByteBuffer data) throws RefusedException {
        int length = data.getInt();
        if (length < 0 || length > data.remaining()) {
            throw new BufferUnderflowException();
        } else if (length > NbdNumbers.MAX_STRING_BYTES) {
            throw new RefusedException(NbdNumbers.REP_ERR_TOO_BIG, "a string of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        data.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private boolean isCalled(String asked) {
        return asked.isEmpty() || asked.equals(volume.name());
    }

    private int flags() {
        return NbdNumbers.TRANSMIT_HAS_FLAGS
                | (volume instanceof WritableVolume ? NbdNumbers.TRANSMIT_WRITABLE : NbdNumbers.TRANSMIT_READ_ONLY)
                | NbdNumbers.TRANSMIT_CAN_MULTI_CONN
                | NbdNumbers.TRANSMIT_SEND_CACHE
                | (structured ? NbdNumbers.TRANSMIT_SEND_DF : 0);
    }

    private void reply(int option, int type, ByteBuffer data) throws IOException {
        transport.write(ByteBuffer.allocate(20 + data.remaining())
                .putLong(NbdNumbers.OPTION_REPLY_MAGIC)
                .putInt(option)
                .putInt(type)
                .putInt(data.remaining())
                .put(data)
                .flip());
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
