// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.shredder.backup.server.reader.ImageExtent;
import io.shredder.backup.server.reader.SnapshotReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
    private final SnapshotReader reader;
    private final NbdReplies replies;
    private final NbdReads reads;
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

    NbdSession(NbdNegotiation.Agreement agreement, SnapshotReader reader) {
        this.agreement = agreement;
        this.transport = agreement.transport();
        this.reader = reader;
        this.replies = new NbdReplies(transport, agreement.structured());
        this.reads = new NbdReads(reader, replies, agreement.structured());
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
            if (request.length() > NbdNumbers.MAX_BLOCK_BYTES) {
                throw new IOException("a write of " + request.length() + " bytes");
            }
            transport.skip(request.length());
        } else if (request.type() == NbdNumbers.CMD_READ && isGood(request)) {
            reader.expect(request.offset(), Math.min(request.length(), MOST_EXPECTED_BYTES));
        }
        room.acquire();
        threads.execute(() -> {
            try {
                answer(request);
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
        return request.isWithin(reader.size())
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
                            "at most " + NbdNumbers.MAX_BLOCK_BYTES + " bytes, within the " + reader.size()
                                    + " of the export, and known flags");
                }
            }
            case NbdNumbers.CMD_BLOCK_STATUS -> status(request);
            case NbdNumbers.CMD_CACHE -> {
                boolean within = request.isWithin(reader.size()) && request.flags() == 0;
                if (within) {
                    reader.prefetch(request.offset(), request.length());
                }
                replies.simple(request, within ? 0 : NbdNumbers.EINVAL);
            }
            case NbdNumbers.CMD_FLUSH -> replies.simple(request, 0);
            case NbdNumbers.CMD_WRITE, NbdNumbers.CMD_TRIM, NbdNumbers.CMD_WRITE_ZEROES ->
                replies.simple(request, NbdNumbers.EPERM);
            default -> replies.simple(request, NbdNumbers.EINVAL);
        }
    }

    private void status(NbdRequest request) throws IOException {
        boolean good = agreement.allocation()
                && request.length() > 0
                && request.isWithin(reader.size())
                && (request.flags() & ~NbdNumbers.CMD_FLAG_REQ_ONE) == 0;
        if (!good) {
            replies.error(request, NbdNumbers.EINVAL, "only with base:allocation, and within the export");
            return;
        }
        int most = request.has(NbdNumbers.CMD_FLAG_REQ_ONE) ? 1 : MOST_EXTENTS;
        List<ImageExtent> extents;
        try {
            extents = reader.extents(request.offset(), request.length(), most);
        } catch (IOException e) {
            replies.error(request, NbdNumbers.EIO, String.valueOf(e.getMessage()));
            return;
        }
        replies.status(request, extents);
    }
}
