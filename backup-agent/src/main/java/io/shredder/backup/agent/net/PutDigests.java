// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Digests the regions of PUTs that wait for their turn, those of all connections together: as many side by side as the
 * CPU has lanes for, which few clients have under way by themselves when there are many. Whoever needs a digest that
 * nobody has begun on computes it, together with others that wait; where enough wait for all lanes, {@link Workers} do.
 * Thread-safe.
 */
final class PutDigests {

    /** As many as the widest instructions digest side by side. */
    static final int TOGETHER = 16;

    /** Of the bodies of a group, unless it has one alone: so that several threads have some. */
    static final int TOGETHER_BYTES = 4 << 20;

    private final Workers workers;

    // Guarded by this.
    private final Set<Put> waiting = new LinkedHashSet<>();
    private long waitingBytes;

    /** How many groups were given to the workers and not begun. */
    private int announced;

    PutDigests(Workers workers) {
        this.workers = workers;
    }

    /** What came of a frame. */
    private interface Read {
        Request request() throws DamagedDataException;
    }

    /** A frame that waits to be digested, is being so, or was. */
    final class Put {

        private final Frame frame;
        private final String peer;
        private final CompletableFuture<Read> read = new CompletableFuture<>();

        private Put(Frame frame, String peer) {
            this.frame = frame;
            this.peer = peer;
        }

        /**
         * The request, whose turn it is: with its digest, or as it is if that is wrong. Whoever answers it finds that
         * out once more, and says so.
         */
        Request request() throws DamagedDataException, InterruptedException {
            digest(take(this));
            try {
                return read.get().request();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }

        /** Nobody asks for it any more; returns when no thread looks at its frame. */
        void forget() {
            if (!leave(this)) {
                var unused = read.handle((known, error) -> true).join();
            }
        }

        /** Whether somebody has computed its digest. */
        boolean isRead() {
            return read.isDone();
        }

        private int bytes() {
            return frame.body().limit();
        }
    }

    /**
     * A PUT's frame has come.
     *
     * @param frame whose body nobody changes until {@link Put#request} or {@link Put#forget} has returned
     */
    Put add(Frame frame, String peer) {
        Put put = new Put(frame, peer);
        if (announces(put)) {
            workers.execute(() -> digest(takeAnnounced()));
        }
        return put;
    }

    private synchronized boolean announces(Put put) {
        waiting.add(put);
        waitingBytes += put.bytes();
        boolean isMore =
                waiting.size() >= (announced + 1) * TOGETHER || waitingBytes >= (announced + 1L) * TOGETHER_BYTES;
        announced += isMore ? 1 : 0;
        return isMore;
    }

    private synchronized List<Put> takeAnnounced() {
        announced--;
        return fill(new ArrayList<>());
    }

    /** The put and others that wait; none if somebody has taken it. */
    private synchronized List<Put> take(Put first) {
        return leave(first) ? fill(new ArrayList<>(List.of(first))) : List.of();
    }

    private synchronized boolean leave(Put put) {
        boolean waited = waiting.remove(put);
        waitingBytes -= waited ? put.bytes() : 0;
        return waited;
    }

    /** Under the lock: takes those that have waited longest, as far as there is room in the group. */
    private List<Put> fill(List<Put> group) {
        long bytes = group.stream().mapToLong(Put::bytes).sum();
        for (Iterator<Put> next = waiting.iterator(); next.hasNext() && group.size() < TOGETHER; ) {
            Put put = next.next();
            if (!group.isEmpty() && bytes + put.bytes() > TOGETHER_BYTES) {
                break;
            }
            next.remove();
            waitingBytes -= put.bytes();
            group.add(put);
            bytes += put.bytes();
        }
        return group;
    }

    private static void digest(List<Put> group) {
        try {
            digestRead(group);
        } catch (ShredderException | RuntimeException | Error e) {
            group.forEach(put -> put.read.completeExceptionally(e));
        }
    }

    private static void digestRead(List<Put> group) throws ShredderException {
        List<Put> puts = new ArrayList<>();
        List<Request.Put> requests = new ArrayList<>();
        List<ByteBuffer> stored = new ArrayList<>();
        for (Put put : group) {
            try {
                Request.Put request = (Request.Put) put.frame.request(put.peer);
                puts.add(put);
                requests.add(request);
                stored.add(request.region().stored().view());
            } catch (DamagedDataException e) {
                put.read.complete(() -> {
                    throw e;
                });
            }
        }
        List<Fingerprint> digests = MemoryDigests.ofBuffers(DigestAlgorithm.SHA_256, stored);
        for (int i = 0; i < digests.size(); i++) {
            Request request = digested(requests.get(i), digests.get(i));
            puts.get(i).read.complete(() -> request);
        }
    }

    private static Request digested(Request.Put put, Fingerprint digest) {
        try {
            return new Request.Put(put.region().digested(digest), true);
        } catch (BadChunkException e) {
            return put;
        }
    }
}
