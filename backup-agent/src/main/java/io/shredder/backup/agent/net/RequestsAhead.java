// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import java.util.IdentityHashMap;
import java.util.Iterator;

/** Which of one connection's PUTs wait for {@link PutDigests} while the requests before them are answered. */
final class RequestsAhead {

    /** So many of the requests that wait are looked at. */
    private static final int MOST = 48;

    private final PutDigests digests;
    private final String peer;
    private final IdentityHashMap<Frame, PutDigests.Put> begun = new IdentityHashMap<>();

    RequestsAhead(PutDigests digests, String peer) {
        this.digests = digests;
        this.peer = peer;
    }

    /**
     * These are the next. Nobody changes their bodies until they are answered.
     *
     * @param first whose turn it is
     * @param waiting come behind it
     */
    void lookAt(Frame first, Iterable<Frame> waiting) {
        begin(first);
        Iterator<Frame> next = waiting.iterator();
        for (int i = 0; i < MOST && next.hasNext(); i++) {
            begin(next.next());
        }
    }

    private void begin(Frame frame) {
        if (frame.type() == FrameType.PUT && !begun.containsKey(frame)) {
            begun.put(frame, digests.add(frame, peer));
        }
    }

    /** The request in a frame, whose turn it is. */
    Request request(Frame frame) throws DamagedDataException, InterruptedException {
        PutDigests.Put put = begun.remove(frame);
        return put == null ? frame.request(peer) : put.request();
    }

    /** Nobody asks for what was begun; returns when no thread looks at the frames any more. */
    void forget() {
        begun.values().forEach(PutDigests.Put::forget);
        begun.clear();
    }
}
