// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what one client changes. A write of up to {@link #PART_BYTES} waits for a thread in one of {@link #PARTS}
 * buffers. A longer one is written as it comes, by the thread that reads requests. So a client takes at most 8 MiB. The
 * other methods: any number of threads.
 */
final class NbdWrites {

    static final int PART_BYTES = 256 << 10;

    private static final int PARTS = 32;
    private static final Logger LOG = LoggerFactory.getLogger(NbdWrites.class);

    private final WritableVolume volume;
    private final NbdReplies replies;
    private final Semaphore room = new Semaphore(PARTS);
    private final Queue<ByteBuffer> idle = new ArrayDeque<>();

    /** A change, of which the client is told how it went. */
    private interface Change {
        void make() throws IOException;
    }

    NbdWrites(WritableVolume volume, NbdReplies replies) {
        this.volume = volume;
        this.replies = replies;
    }

    /** Whether a write's bytes may wait for a thread. */
    static boolean isShort(NbdRequest request) {
        return request.length() <= PART_BYTES;
    }

    /** 0, or what is wrong with it. */
    int errorOf(NbdRequest request) {
        int flags = NbdNumbers.CMD_FLAG_FUA
                | (request.type() == NbdNumbers.CMD_WRITE_ZEROES ? NbdNumbers.CMD_FLAG_NO_HOLE : 0);
        boolean isFlush = request.type() == NbdNumbers.CMD_FLUSH;
        if ((request.flags() & ~(isFlush ? 0 : flags)) != 0
                || (isFlush && (request.offset() != 0 || request.length() != 0))) {
            return NbdNumbers.EINVAL;
        }
        return isFlush || request.isWithin(volume.size()) ? 0 : NbdNumbers.ENOSPC;
    }

    /** Reads a short write's bytes, once there is room for them; {@link #write} gives the buffer back. */
    ByteBuffer receive(NbdRequest request, NbdTransport transport) throws IOException, InterruptedException {
        room.acquire();
        ByteBuffer buffer;
        synchronized (idle) {
            buffer = idle.poll();
        }
        buffer = buffer == null ? ByteBuffer.allocateDirect(PART_BYTES) : buffer;
        transport.read(buffer.clear().limit((int) request.length()));
        return buffer.flip();
    }

    void write(NbdRequest request, ByteBuffer received) throws IOException {
        try {
            answer(request, () -> volume.write(request.offset(), received));
        } finally {
            synchronized (idle) {
                idle.add(received);
            }
            room.release();
        }
    }

    /** Reads and writes a long one. Behind an error its bytes are skipped: requests go on behind them. */
    void stream(NbdRequest request, NbdTransport transport) throws IOException, InterruptedException {
        room.acquire();
        ByteBuffer buffer = ByteBuffer.allocateDirect(PART_BYTES);
        int error = 0;
        for (long at = request.offset(); at < request.end(); at += buffer.limit()) {
            transport.read(buffer.clear().limit((int) Math.min(PART_BYTES, request.end() - at)));
            long from = at;
            error = error != 0 ? error : errorOfMaking(request, () -> volume.write(from, buffer.flip()));
        }
        if (error == 0) {
            error = errorOfMaking(request, () -> flushIfAsked(request));
        }
        room.release();
        replies.simple(request, error);
    }

    void zero(NbdRequest request) throws IOException {
        boolean mayBeHole = !request.has(NbdNumbers.CMD_FLAG_NO_HOLE);
        answer(request, () -> volume.zero(request.offset(), request.length(), mayBeHole));
    }

    void trim(NbdRequest request) throws IOException {
        answer(request, () -> volume.trim(request.offset(), request.length()));
    }

    void flush(NbdRequest request) throws IOException {
        answer(request, volume::flush);
    }

    private void answer(NbdRequest request, Change change) throws IOException {
        int error = errorOf(request);
        replies.simple(
                request,
                error != 0
                        ? error
                        : errorOfMaking(request, () -> {
                            change.make();
                            flushIfAsked(request);
                        }));
    }

    private void flushIfAsked(NbdRequest request) throws IOException {
        if (request.has(NbdNumbers.CMD_FLAG_FUA)) {
            volume.flush();
        }
    }

    private static int errorOfMaking(NbdRequest request, Change change) {
        try {
            change.make();
            return 0;
        } catch (IOException e) {
            LOG.warn(
                    "command {} of {} bytes at {} failed: {}",
                    request.type(),
                    request.length(),
                    request.offset(),
                    e.getMessage());
            return String.valueOf(e.getMessage()).contains("No space left") ? NbdNumbers.ENOSPC : NbdNumbers.EIO;
        }
    }
}
