// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameDecoder;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * What one connection takes of the memory that an agent has for all: requests from their header on until they are
 * answered, and work from its beginning until the client has taken the answer. Thread-safe.
 */
final class ClientMemory {

    /** The most of requests for one connection, if it is more than one. */
    private static final long CONNECTION_BYTES = 16 << 20;

    /** The least that a request and its answer take. */
    private static final int LEAST_WORK_BYTES = 1 << 10;

    /** A look-up's fingerprints and places as objects, for each byte of them on the wire. */
    private static final int LOOKUP_FACTOR = 6;

    private final ByteBudget requests;
    private final ByteBudget work;
    private final SnapshotName client;
    private final FlowShares.Share flow;
    private long requestBytes;
    private boolean closed;
    private Optional<Runnable> waiting = Optional.empty();

    /**
     * Of two budgets that all connections share.
     *
     * @param flow what the client is told to have under way; closed with this
     */
    ClientMemory(ByteBudget requests, ByteBudget work, SnapshotName client, FlowShares.Share flow) {
        this.requests = requests;
        this.work = work;
        this.client = client;
        this.flow = flow;
    }

    /**
     * Takes memory for a request if it is there; else says so when it may be.
     *
     * @param retry tries again, and calls {@link #tried} afterwards
     */
    synchronized boolean takeRequest(int bytes, Runnable retry) {
        if (requestBytes > 0 && requestBytes + bytes > mostRequestBytes()) {
            waiting = Optional.of(retry);
            return false;
        }
        if (closed || !requests.tryTake(client, bytes, this, retry)) {
            return false;
        }
        requestBytes += bytes;
        return true;
    }

    /**
     * A client that has more under way than it was told waits for its own answers. Memory for a request is up to twice
     * what its client counts.
     */
    private long mostRequestBytes() {
        return Math.min(CONNECTION_BYTES, 2L * flow.bytes());
    }

    /** A request with chunks, or for some, is answered. Returns what its client is to be told, if it is news. */
    OptionalInt newWindow() {
        return flow.used();
    }

    /** A retry has taken what it wants; what is left is for others. */
    void tried() {
        requests.wake();
    }

    /** A request is answered. */
    void giveBack(Frame frame) {
        giveBackRequests(FrameDecoder.memoryBytes(frame.body().limit()));
    }

    private void giveBackRequests(long bytes) {
        Optional<Runnable> woken;
        synchronized (this) {
            requestBytes -= bytes;
            woken = waiting;
            waiting = Optional.empty();
        }
        requests.giveBack(client, bytes);
        woken.ifPresent(Runnable::run);
    }

    /** Waits for the most that answering may take, and takes it; returns 0 if it is not wanted any more. */
    int takeWork(Request request, BooleanSupplier wanted) throws InterruptedException {
        int bytes = mostWorkBytes(request);
        return work.take(client, bytes, wanted) ? bytes : 0;
    }

    /**
     * Takes memory for an answer that is read before its turn, if it leaves enough for one whose turn it is; returns 0
     * if not.
     */
    int tryTakeAhead(Request.FetchMany request) {
        int bytes = LEAST_WORK_BYTES + 2 * Integer.BYTES + request.mostBytes();
        return work.tryTakeBeside(client, bytes, LEAST_WORK_BYTES + WireFormat.MAX_BODY_BYTES) ? bytes : 0;
    }

    private static int mostWorkBytes(Request request) {
        return LEAST_WORK_BYTES
                + switch (request.type()) {
                    case FETCH, FETCH_MANY, VERIFY, VERIFY_SOME, LIST, LIST_SERIES, LIST_PAGES, SHOW, COLLECT ->
                        WireFormat.MAX_BODY_BYTES;
                    case DELETE, PENDING -> PendingDeletion.MAX_BYTES;
                    case KEEPERS -> KeepersState.MAX_BYTES;
                    case LOOKUP -> LOOKUP_FACTOR * request.bodyBytes();
                    default -> request.bodyBytes() / RegionFormat.MAX_REGION_CHUNKS;
                };
    }

    /** How much of it the answer needs. */
    static int answerBytes(Answer answer) {
        return LEAST_WORK_BYTES + answer.bodyBytes();
    }

    /** The answer, or some of the room for it, is not needed any more. */
    void giveBackWork(int bytes) {
        work.giveBack(client, bytes);
    }

    /** Whoever waits for memory looks whether it still wants it. */
    void wake() {
        work.wake();
    }

    /** Gives back what requests have that nobody will answer; nothing is taken for others. */
    void close() {
        long left;
        synchronized (this) {
            closed = true;
            left = requestBytes;
        }
        requests.forget(this);
        flow.close();
        giveBackRequests(left);
    }
}
