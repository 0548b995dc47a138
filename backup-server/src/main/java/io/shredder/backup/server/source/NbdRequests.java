// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The second part of an NBD connection: requests and their replies, which may come in any order, simple or structured.
 * One thread: a reader sends some requests, then receives until none is under way.
 */
final class NbdRequests {

    static final int MAX_UNDER_WAY = 16;

    private static final int REQUEST_MAGIC = 0x25609513;
    private static final int SIMPLE_MAGIC = 0x67446698;
    private static final int STRUCTURED_MAGIC = 0x668e33ef;
    private static final int REQUEST_HEAD_BYTES = 28;
    private static final int COMMAND_READ = 0;
    private static final int COMMAND_DISCONNECT = 2;
    private static final int COMMAND_BLOCK_STATUS = 7;
    private static final int FLAG_DONE = 1;
    private static final int FLAG_WHOLE = 1 << 2;
    private static final int TYPE_NONE = 0;
    private static final int TYPE_DATA = 1;
    private static final int TYPE_HOLE = 2;
    private static final int TYPE_BLOCK_STATUS = 5;
    private static final int TYPE_ERROR_BIT = 0x8000;
    private static final int IO_ERROR = 5;
    /** EINVAL, which stands for all errors that the protocol has no number for, such as those of a medium. */
    private static final int OTHER_ERROR = 22;

    /** EOVERFLOW: so much is not given in one part. */
    private static final int TOO_MUCH = 75;

    /** What a smaller read may not meet. */
    private static final Set<Integer> PARTIAL_ERRORS = Set.of(IO_ERROR, OTHER_ERROR, TOO_MUCH);

    private static final int MAX_STATUS_BYTES = 8 << 20;

    private final NbdWire wire;
    private final NbdHandshake.Agreement agreement;
    private final Map<Long, Pending> pending = new HashMap<>();
    private long nextCookie = 1;
    private @Nullable UnreadableException failure;

    /** What is not zero. */
    interface DataConsumer {
        /** Takes a run; runs come in order. */
        void accept(long offset, long bytes);
    }

    /** A request without its last reply. */
    private static final class Pending {
        private final long offset;
        private final int bytes;
        private final @Nullable ByteBuffer into;
        private final @Nullable DataConsumer data;
        private long toldUpTo;
        private int covered;
        private @Nullable UnreadableException failure;

        Pending(long offset, int bytes, @Nullable ByteBuffer into, @Nullable DataConsumer data) {
            this.offset = offset;
            this.bytes = bytes;
            this.into = into;
            this.data = data;
            this.toldUpTo = offset;
        }
    }

    NbdRequests(NbdWire wire, NbdHandshake.Agreement agreement) {
        this.wire = wire;
        this.agreement = agreement;
    }

    /** Requests that were sent and not answered. */
    int underWay() {
        return pending.size();
    }

    /** Sends a read; its bytes come into the buffer, which they fill, during {@link #receive}. */
    void read(ByteBuffer into, long offset) throws IOException {
        send(COMMAND_READ, offset, into.remaining(), new Pending(offset, into.remaining(), into, null));
    }

    /** Asks which bytes are not zero; nothing else may be under way. Returns up to where the server told. */
    long status(long offset, int bytes, DataConsumer data) throws IOException {
        Pending asked = new Pending(offset, bytes, null, data);
        send(COMMAND_BLOCK_STATUS, offset, bytes, asked);
        while (underWay() > 0) {
            receive();
        }
        return Math.min(asked.toldUpTo, offset + bytes);
    }

    /** Says goodbye, as far as the connection still takes it. */
    void disconnect() {
        try {
            wire.write(head(0, COMMAND_DISCONNECT, 0, 0, 0));
        } catch (IOException e) {
            // It is being closed anyway, and a broken one can't be told.
            return;
        }
    }

    private void send(int command, long offset, int bytes, Pending request) throws IOException {
        long cookie = nextCookie++;
        pending.put(cookie, request);
        wire.write(head(flags(command), command, cookie, offset, bytes));
    }

    /** QEMU ends the connection where it can't read, unless it is asked for all bytes in one part. */
    private int flags(int command) {
        return command == COMMAND_READ && agreement.wholeReplies() ? FLAG_WHOLE : 0;
    }

    private static ByteBuffer head(int flags, int command, long cookie, long offset, int bytes) {
        return ByteBuffer.allocate(REQUEST_HEAD_BYTES)
                .putInt(REQUEST_MAGIC)
                .putShort((short) flags)
                .putShort((short) command)
                .putLong(cookie)
                .putLong(offset)
                .putInt(bytes)
                .flip();
    }

    /** Takes the next reply, or the next part of one. */
    void receive() throws IOException {
        int magic = wire.read(4).getInt();
        if (magic == SIMPLE_MAGIC) {
            receiveSimple();
        } else if (magic == STRUCTURED_MAGIC && agreement.structured()) {
            receivePart();
        } else {
            throw wire.broken("sends what is no reply");
        }
    }

    private void receiveSimple() throws IOException {
        ByteBuffer head = wire.read(12);
        int error = head.getInt();
        long cookie = head.getLong();
        Pending request = find(cookie);
        if (error != 0) {
            fail(request, error, "");
            pending.remove(cookie);
            return;
        }
        if (request.into == null) {
            throw wire.broken("answers a question about zeros as if it were a read");
        }
        wire.read(request.into);
        pending.remove(cookie);
    }

    private void receivePart() throws IOException {
        ByteBuffer head = wire.read(16);
        boolean done = (head.getShort() & FLAG_DONE) != 0;
        int type = Short.toUnsignedInt(head.getShort());
        long cookie = head.getLong();
        int length = head.getInt();
        Pending request = find(cookie);
        if ((type & TYPE_ERROR_BIT) != 0) {
            receiveError(request, length);
        } else if (type == TYPE_DATA || type == TYPE_HOLE) {
            receiveBytes(request, type, length);
        } else if (type == TYPE_BLOCK_STATUS) {
            receiveStatus(request, length);
        } else if (type != TYPE_NONE || length != 0) {
            throw wire.broken("sends a reply of type " + type + ", which it was not asked for");
        }
        if (done) {
            finish(request);
            pending.remove(cookie);
        }
    }

    private void finish(Pending request) throws IOException {
        if (request.failure == null && request.into != null && request.covered != request.bytes) {
            throw wire.broken("sent " + request.covered + " of " + request.bytes + " bytes at " + request.offset);
        }
    }

    private void receiveBytes(Pending request, int type, int length) throws IOException {
        if (request.into == null || length < 9 || (type == TYPE_HOLE && length != 12)) {
            throw wire.broken("sends bytes that it was not asked for");
        }
        long at = wire.read(8).getLong() - request.offset;
        long count = type == TYPE_HOLE ? Integer.toUnsignedLong(wire.read(4).getInt()) : length - 8L;
        if (at < 0 || at + count > request.bytes) {
            throw wire.broken("sends bytes that it was not asked for");
        }
        ByteBuffer part = request.into.slice((int) at, (int) count);
        if (type == TYPE_DATA) {
            wire.read(part);
        } else {
            part.put(new byte[(int) count]);
        }
        request.covered += (int) count;
    }

    /** Context 4, then pairs of length 4 and flags 4. */
    private void receiveStatus(Pending request, int length) throws IOException {
        if (request.data == null || length < 12 || length > MAX_STATUS_BYTES || length % 8 != 4) {
            throw wire.broken("sends a malformed account of what is zero");
        }
        ByteBuffer body = wire.read(length);
        if (body.getInt() != agreement.contextNumber().orElse(-1)) {
            return;
        }
        while (body.hasRemaining()) {
            long bytes = Integer.toUnsignedLong(body.getInt());
            if (agreement.context().counts().test(body.getInt()) && bytes > 0) {
                request.data.accept(request.toldUpTo, bytes);
            }
            request.toldUpTo += bytes;
        }
    }

    private void receiveError(Pending request, int length) throws IOException {
        if (length < 6 || length > MAX_STATUS_BYTES) {
            throw wire.broken("sends a malformed error");
        }
        ByteBuffer body = wire.read(length);
        int number = body.getInt();
        int textBytes = Math.min(Short.toUnsignedInt(body.getShort()), body.remaining());
        fail(
                request,
                number,
                StandardCharsets.UTF_8
                        .decode(body.slice(body.position(), textBytes))
                        .toString());
    }

    /** Of a read whose bytes alone the server can't give, the connection goes on. */
    private void fail(Pending request, int error, String text) throws IOException {
        IOException failed = wire.broken("can't read " + request.bytes + " bytes at " + request.offset + ": "
                + (text.isEmpty() ? "error " + error : text));
        if (request.into == null || !PARTIAL_ERRORS.contains(error)) {
            throw failed;
        }
        request.failure = new UnreadableException(String.valueOf(failed.getMessage()));
        failure = request.failure;
    }

    /**
     * Throws the last failure of a read since this was called last; to be called when none is under way.
     *
     * @throws UnreadableException if the server could not give the bytes
     */
    void throwIfFailed() throws UnreadableException {
        UnreadableException failed = failure;
        failure = null;
        if (failed != null) {
            throw failed;
        }
    }

    private Pending find(long cookie) throws IOException {
        Pending request = pending.get(cookie);
        if (request == null) {
            throw wire.broken("answers what it was not asked");
        }
        return request;
    }
}
