// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.agent.session.FetchesAhead;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Optional;

/**
 * Which of one connection's FETCH_MANYs are being read before their turn, and what memory they have for that. For one
 * thread.
 */
final class FetchQueue {

    private final FetchesAhead fetches;
    private final ClientMemory memory;
    private final String peer;
    private final IdentityHashMap<Frame, Begun> begun = new IdentityHashMap<>();

    /**
     * A request that is being read.
     *
     * @param bytes that were taken for its answer
     */
    record Begun(Request.FetchMany request, int bytes) {}

    FetchQueue(FetchesAhead fetches, ClientMemory memory, String peer) {
        this.fetches = fetches;
        this.memory = memory;
        this.peer = peer;
    }

    /**
     * These are the next behind the one that is answered now: what follows it without another kind of request between
     * is read, as far as there is memory.
     */
    void lookAt(Iterable<Frame> waiting) {
        Iterator<Frame> next = waiting.iterator();
        boolean more = true;
        while (more && next.hasNext()) {
            Frame frame = next.next();
            more = frame.type() == FrameType.FETCH_MANY && (begun.containsKey(frame) || begin(frame));
        }
    }

    private boolean begin(Frame frame) {
        Request request;
        try {
            request = frame.request(peer);
        } catch (DamagedDataException e) {
            return false; // Whoever answers it finds that out once more, and says so.
        }
        if (!(request instanceof Request.FetchMany fetch) || !fetches.mayBegin(fetch)) {
            return false;
        }
        int bytes = memory.tryTakeAhead(fetch);
        if (bytes == 0) {
            return false;
        }
        fetches.begin(fetch);
        begun.put(frame, new Begun(fetch, bytes));
        return true;
    }

    /** The request of a frame whose turn it is, if its answer has been read. */
    Optional<Begun> take(Frame frame) {
        Begun taken = begun.remove(frame);
        if (taken == null) {
            return Optional.empty();
        } else if (!fetches.isRead(taken.request())) {
            memory.giveBackWork(taken.bytes());
            return Optional.empty();
        }
        return Optional.of(taken);
    }

    /** The session is closed: nobody will ask for what was begun. */
    void forget() {
        begun.values().forEach(each -> memory.giveBackWork(each.bytes()));
        begun.clear();
    }
}
