// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.shredder.backup.server.reader.ImageExtent;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client behind the negotiation. The thread that runs it reads requests and has their bytes fetched; up to {@link
 * #THREADS} others, {@code nbd-N}, answer them, in any order. It reads no more requests while {@link #MOST_REQUESTS}
 * wait: a client that takes no answers stops itself, and takes no memory of others.
 */
final class NbdSession {

    static final int THREADS = 16;
    static final int MOST_REQUESTS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(NbdSession.class);

    /** What is asked for when a request comes, not when its turn has come. */
    private static final long MOST_EXPECTED_BYTES = 1 << 20;

    private static final int MOST_EXTENTS = 1_024;
    private static final long IDLE_S = 10;

    private final NbdNegotiation.Agreement agreement;
    private final NbdTransport transport;
    private final NbdVolume volume;
    private final NbdReplies replies;
    private final NbdReads reads;

    /** None where nothing can be written. */
    private final @Nullable NbdWrites writes;

    private final Semaphore room = new Semaphore(MOST_REQUESTS);
    private final ThreadLocal<ByteBuffer> buffers =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(NbdReads.PART_BYTES));
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new ThreadFactoryBuilder().setNameFormat("nbd-%d").setDaemon(true).build());

    NbdSession(NbdNegotiation.Agreement agreement, NbdVolume volume) {
        this.agreement = agreement;
        this.transport = agreement.transport();
        this.volume = volume;
        this.replies = new NbdReplies(transport, agreement.structured());
        this.reads = new NbdReads(volume, replies, agreement.structured());
        this.writes = volume instanceof WritableVolume writable ? new NbdWrites(writable, replies) : null;
        threads.allowCoreThreadTimeOut(true);
    }

    /** Serves until the client leaves; then all answers have gone, or the connection is lost. */
    void run() throws IOException, InterruptedException {
        try {
            ByteBuffer head = ByteBuffer.allocate(NbdRequest.BYTES);
            while (true) {
                transport.read(head.clear());
                NbdRequest request = NbdRequest.read(head.flip());
                if (request.type() == NbdNumbers.CMD_DISC) {
                    return;
                }
                take(request);
            }
        } catch (EOFException e) {
            LOG.debug("a client left without a word");
        } finally {
            room.acquire(MOST_REQUESTS);
            threads.shutdown();
        }
    }

    private void take(NbdRequest request) throws IOException, InterruptedException {
        if (request.type() == NbdNumbers.CMD_WRITE) {
            takeWrite(request);
            return;
        }
        if (request.type() == NbdNumbers.CMD_READ && isGood(request)) {
            volume.expect(request.offset(), Math.min(request.length(), MOST_EXPECTED_BYTES));
        }
        room.acquire();
        execute(() -> answer(request));
    }

    /** Its bytes come right behind it, whether they are wanted or not. */
    private void takeWrite(NbdRequest request) throws IOException, InterruptedException {
        if (request.length() > NbdNumbers.MAX_BLOCK_BYTES) {
            throw new IOException("a write of " + request.length() + " bytes");
        }
        room.acquire();
        boolean goesOn = false;
        try {
            goesOn = answersLater(request);
        } finally {
            if (!goesOn) {
                room.release();
            }
        }
    }

    /** Reads a write's bytes. Returns whether one of the threads answers it and gives its room back. */
    private boolean answersLater(NbdRequest request) throws IOException, InterruptedException {
        NbdWrites taking = writes;
        int error = taking == null ? NbdNumbers.EPERM : taking.errorOf(request);
        if (taking == null || error != 0) {
            transport.skip(request.length());
            execute(() -> replies.simple(request, error));
        } else if (NbdWrites.isShort(request)) {
            ByteBuffer received = taking.receive(request, transport);
            execute(() -> taking.write(request, received));
        } else {
            taking.stream(request, transport);
            return false;
        }
        return true;
    }

    /** On one of the threads; there is room for it. */
    private void execute(NbdReplies.Sending answering) {
        threads.execute(() -> {
            try {
                answering.send();
            } catch (IOException | RuntimeException e) {
                lose(e);
            } finally {
                room.release();
            }
        });
    }

    private void lose(Exception e) {
        LOG.debug("a client is lost", e);
        try {
            transport.close();
        } catch (IOException other) {
            LOG.debug("closing a client's connection", other);
        }
    }

    private boolean isGood(NbdRequest request) {
        return request.isWithin(volume.size())
                && request.length() <= NbdNumbers.MAX_BLOCK_BYTES
                && (request.flags() & ~(NbdNumbers.CMD_FLAG_DF | NbdNumbers.CMD_FLAG_FUA)) == 0
                && (agreement.structured() || !request.has(NbdNumbers.CMD_FLAG_DF));
    }

    private void answer(NbdRequest request) throws IOException {
        switch (request.type()) {
            case NbdNumbers.CMD_READ -> {
                if (isGood(request)) {
                    reads.answer(request, buffers.get());
                } else {
                    replies.error(
                            request,
                            NbdNumbers.EINVAL,
                            "at most " + NbdNumbers.MAX_BLOCK_BYTES + " bytes, within the " + volume.size()
                                    + " of the export, and known flags");
                }
            }
            case NbdNumbers.CMD_BLOCK_STATUS -> status(request);
            case NbdNumbers.CMD_CACHE -> {
                boolean within = request.isWithin(volume.size()) && request.flags() == 0;
                if (within) {
                    volume.prefetch(request.offset(), request.length());
                }
                replies.simple(request, within ? 0 : NbdNumbers.EINVAL);
            }
            case NbdNumbers.CMD_FLUSH, NbdNumbers.CMD_TRIM, NbdNumbers.CMD_WRITE_ZEROES -> change(request);
            default -> replies.simple(request, NbdNumbers.EINVAL);
        }
    }

    private void change(NbdRequest request) throws IOException {
        if (writes == null) {
            replies.simple(request, request.type() == NbdNumbers.CMD_FLUSH ? 0 : NbdNumbers.EPERM);
        } else if (request.type() == NbdNumbers.CMD_FLUSH) {
            writes.flush(request);
        } else if (request.type() == NbdNumbers.CMD_TRIM) {
            writes.trim(request);
        } else {
            writes.zero(request);
        }
    }

    private void status(NbdRequest request) throws IOException {
        boolean good = agreement.allocation()
                && request.length() > 0
                && request.isWithin(volume.size())
                && (request.flags() & ~NbdNumbers.CMD_FLAG_REQ_ONE) == 0;
        if (!good) {
            replies.error(request, NbdNumbers.EINVAL, "only with base:allocation, and within the export");
            return;
        }
        int most = request.has(NbdNumbers.CMD_FLAG_REQ_ONE) ? 1 : MOST_EXTENTS;
        List<ImageExtent> extents;
        try {
            extents = volume.extents(request.offset(), request.length(), most);
        } catch (IOException e) {
            replies.error(request, NbdNumbers.EIO, String.valueOf(e.getMessage()));
            return;
        }
        replies.status(request, extents);
    }
}
