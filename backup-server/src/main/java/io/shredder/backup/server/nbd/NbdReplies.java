// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.server.reader.ImageExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes answers, each of their parts at once. Threads take turns; one that waits for a client that takes nothing holds
 * up all others of this client, and takes no memory.
 */
final class NbdReplies {

    private static final int STRUCTURED_BYTES = 20;

    /** A message of an error has no more. */
    private static final int MOST_MESSAGE_BYTES = 1024;

    private final NbdTransport transport;
    private final boolean structured;
    private final ReentrantLock turn = new ReentrantLock(true);

    NbdReplies(NbdTransport transport, boolean structured) {
        this.transport = transport;
        this.structured = structured;
    }

    /** Sends what must stay together. */
    interface Sending {
        void send() throws IOException;
    }

    /** Nobody else's bytes come between those that are sent now. */
    void together(Sending sending) throws IOException {
        turn.lock();
        try {
            sending.send();
        } finally {
            turn.unlock();
        }
    }

    /** The whole answer to a request that isn't a read: an error number, or 0. */
    void simple(NbdRequest request, int error) throws IOException {
        together(() -> transport.write(simpleHead(request, error)));
    }

    private static ByteBuffer simpleHead(NbdRequest request, int error) {
        return ByteBuffer.allocate(16)
                .putInt(NbdNumbers.SIMPLE_REPLY_MAGIC)
                .putInt(error)
                .putLong(request.cookie())
                .flip();
    }

    /** The beginning of a read's answer whose bytes follow, all of them. */
    void wholeHead(NbdRequest request) throws IOException {
        if (structured) {
            transport.write(head(request, NbdNumbers.CHUNK_DONE, NbdNumbers.CHUNK_OFFSET_DATA, 8 + request.length())
                    .putLong(request.offset())
                    .flip());
        } else {
            transport.write(simpleHead(request, 0));
        }
    }

    void bytes(ByteBuffer data) throws IOException {
        transport.write(data);
    }

    /** An error as the last of an answer. */
    void error(NbdRequest request, int error, String text) throws IOException {
        if (!structured) {
            simple(request, error);
            return;
        }
        byte[] message = message(text);
        together(() -> transport.write(
                head(request, NbdNumbers.CHUNK_DONE, NbdNumbers.CHUNK_ERROR, 6 + message.length, message.length + 6)
                        .putInt(error)
                        .putShort((short) message.length)
                        .put(message)
                        .flip()));
    }

    /** The same of a place in the export. */
    void errorAt(NbdRequest request, int error, String text, long offset) throws IOException {
        byte[] message = message(text);
        together(() -> transport.write(head(
                        request,
                        NbdNumbers.CHUNK_DONE,
                        NbdNumbers.CHUNK_ERROR_OFFSET,
                        14 + message.length,
                        message.length + 14)
                .putInt(error)
                .putShort((short) message.length)
                .put(message)
                .putLong(offset)
                .flip()));
    }

    private static byte[] message(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return utf8.length <= MOST_MESSAGE_BYTES ? utf8 : java.util.Arrays.copyOf(utf8, MOST_MESSAGE_BYTES);
    }

    /** Some bytes of a read. */
    void data(NbdRequest request, boolean last, long offset, ByteBuffer data) throws IOException {
        ByteBuffer head = head(request, done(last), NbdNumbers.CHUNK_OFFSET_DATA, 8 + data.remaining())
                .putLong(offset)
                .flip();
        together(() -> {
            transport.write(head);
            transport.write(data);
        });
    }

    /** Some zeros of a read. */
    void hole(NbdRequest request, boolean last, long offset, int bytes) throws IOException {
        ByteBuffer chunk = head(request, done(last), NbdNumbers.CHUNK_OFFSET_HOLE, 12, 12)
                .putLong(offset)
                .putInt(bytes)
                .flip();
        together(() -> transport.write(chunk));
    }

    /** The end of an answer without anything. */
    void nothing(NbdRequest request) throws IOException {
        ByteBuffer chunk = head(request, NbdNumbers.CHUNK_DONE, NbdNumbers.CHUNK_NONE, 0, 0)
                .flip();
        together(() -> transport.write(chunk));
    }

    /** What is a hole. */
    void status(NbdRequest request, List<ImageExtent> extents) throws IOException {
        int bytes = 4 + 8 * extents.size();
        ByteBuffer chunk = head(request, NbdNumbers.CHUNK_DONE, NbdNumbers.CHUNK_BLOCK_STATUS, bytes, bytes);
        chunk.putInt(NbdNegotiation.ALLOCATION_ID);
        for (ImageExtent extent : extents) {
            chunk.putInt((int) extent.bytes())
                    .putInt(extent.isHole() ? NbdNumbers.STATE_HOLE | NbdNumbers.STATE_ZERO : 0);
        }
        chunk.flip();
        together(() -> transport.write(chunk));
    }

    private static int done(boolean last) {
        return last ? NbdNumbers.CHUNK_DONE : 0;
    }

    /** With room for an offset. */
    private static ByteBuffer head(NbdRequest request, int flags, int type, long length) {
        return head(request, flags, type, length, 8);
    }

    private static ByteBuffer head(NbdRequest request, int flags, int type, long length, int room) {
        return ByteBuffer.allocate(STRUCTURED_BYTES + room)
                .putInt(NbdNumbers.STRUCTURED_REPLY_MAGIC)
                .putShort((short) flags)
                .putShort((short) type)
                .putLong(request.cookie())
                .putInt((int) length);
    }
}
