// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.Frame;
import io.shredder.backup.protocol.FrameType;
import io.shredder.backup.protocol.Request;
import io.shredder.chunk.DamagedDataException;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Has the regions of one connection's PUTs digested by other threads while the requests before them are answered. Those that nobody has begun on when it is their turn the
 * connection's own thread does. For one thread.
 */
final class RequestsAhead {

    /** So many of the requests that wait are looked at. */
    private static final int MOST = 16;

    private final Workers workers;
    private final String peer;
    private final IdentityHashMap<Frame, FutureTask<Request>> begun = new IdentityHashMap<>();

    RequestsAhead(Workers workers, String peer) {
        this.workers = workers;
        this.peer = peer;
    }

    /** These are the next. Nobody changes their bodies until they are answered. */
    void lookAt(Iterable<Frame> waiting) {
        Iterator<Frame> next = waiting.iterator();
        for (int i = 0; i < MOST && next.hasNext(); i++) {
            Frame frame = next.next();
            if (frame.type() == FrameType.PUT && !begun.containsKey(frame)) {
                FutureTask<Request> task = new FutureTask<>(() -> digested(frame));
                begun.put(frame, task);
                workers.execute(task);
            }
        }
    }

    private Request digested(Frame frame) throws DamagedDataException {
        Request request = frame.request(peer);
        if (!(request instanceof Request.Put put)) {
            return request;
        }
        try {
            return new Request.Put(put.region().digested(), true);
        } catch (BadChunkException e) {
            return put; // Whoever answers it finds that out once more, and says so.
        }
    }

    /** The request in a frame, whose turn it is. */
    Request request(Frame frame) throws DamagedDataException, InterruptedException {
        FutureTask<Request> task = begun.remove(frame);
        if (task == null) {
            return frame.request(peer);
        }
        task.run(); // Unless another thread has.
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DamagedDataException damaged) {
                throw damaged;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
