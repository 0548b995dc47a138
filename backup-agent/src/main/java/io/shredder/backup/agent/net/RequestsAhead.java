// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import com.google.common.util.concurrent.Futures;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Digests the regions of one connection's PUTs, as many side by side as wait. Of those that wait behind others enough
 * for all the CPU's lanes are digested by other threads, while the requests before them are answered; the connection's
 * own thread does those that nobody has begun on when it is their turn. For one thread.
 */
final class RequestsAhead {

    /** So many of the requests that wait are looked at. */
    private static final int MOST = 48;

    /** As many as the widest instructions digest side by side. */
    private static final int TOGETHER = 16;

    /** Of the bodies of a group, unless it has one alone: so that several threads have some. */
    private static final int TOGETHER_BYTES = 2 << 20;

    private final Workers workers;
    private final String peer;
    private final IdentityHashMap<Frame, FutureTask<IdentityHashMap<Frame, Read>>> begun = new IdentityHashMap<>();

    /** What came of a frame. */
    private interface Read {
        Request request() throws DamagedDataException;
    }

    RequestsAhead(Workers workers, String peer) {
        this.workers = workers;
        this.peer = peer;
    }

    /**
     * These are the next. Nobody changes their bodies until they are answered.
     *
     * @param first whose turn it is
     * @param waiting come behind it
     */
    void lookAt(Frame first, Iterable<Frame> waiting) {
        Group group = new Group(isFresh(first));
        if (group.isNext) {
            group.add(first);
        }
        Iterator<Frame> next = waiting.iterator();
        for (int i = 0; i < MOST && next.hasNext(); i++) {
            Frame frame = next.next();
            if (isFresh(frame) && !group.add(frame)) {
                begin(group);
                group = new Group(false);
                group.add(frame);
            }
        }
        if (group.isFull() || group.isNext) {
            begin(group);
        }
    }

    private boolean isFresh(Frame frame) {
        return frame.type() == FrameType.PUT && !begun.containsKey(frame);
    }

    private void begin(Group group) {
        FutureTask<IdentityHashMap<Frame, Read>> task = new FutureTask<>(() -> read(group.frames));
        group.frames.forEach(frame -> begun.put(frame, task));
        if (!group.isNext) {
            workers.execute(task); // Else it would be begun here in a moment.
        }
    }

    /** Frames whose regions are digested together. */
    private static final class Group {
        private final boolean isNext;
        private final List<Frame> frames = new ArrayList<>();
        private long bytes;

        /** @param isNext whether it is the turn of its first frame */
        Group(boolean isNext) {
            this.isNext = isNext;
        }

        /** Returns false if there is no room for it. */
        boolean add(Frame frame) {
            if (isFull() || (!frames.isEmpty() && bytes + frame.body().limit() > TOGETHER_BYTES)) {
                return false;
            }
            frames.add(frame);
            bytes += frame.body().limit();
            return true;
        }

        boolean isFull() {
            return frames.size() == TOGETHER || bytes >= TOGETHER_BYTES;
        }
    }

    private IdentityHashMap<Frame, Read> read(List<Frame> frames) {
        IdentityHashMap<Frame, Read> results = new IdentityHashMap<>();
        List<Frame> digested = new ArrayList<>();
        List<Request.Put> puts = new ArrayList<>();
        for (Frame frame : frames) {
            try {
                Request request = frame.request(peer);
                results.put(frame, () -> request);
                if (request instanceof Request.Put put) {
                    digested.add(frame);
                    puts.add(put);
                }
            } catch (DamagedDataException e) {
                results.put(frame, () -> {
                    throw e;
                });
            }
        }
        List<Request> checked = digested(puts);
        for (int i = 0; i < checked.size(); i++) {
            Request request = checked.get(i);
            results.put(digested.get(i), () -> request);
        }
        return results;
    }

    /**
     * The same requests, with digests; one whose digest is wrong is left as it is: whoever answers it finds that out
     * once more, and says so.
     */
    private static List<Request> digested(List<Request.Put> puts) {
        List<ByteBuffer> stored =
                puts.stream().map(put -> put.region().stored().view()).toList();
        List<Request> checked = new ArrayList<>(puts);
        try {
            List<Fingerprint> digests = MemoryDigests.ofBuffers(DigestAlgorithm.SHA_256, stored);
            for (int i = 0; i < digests.size(); i++) {
                checked.set(i, digested(puts.get(i), digests.get(i)));
            }
        } catch (ShredderException e) {
            throw new IllegalStateException(e);
        }
        return checked;
    }

    private static Request digested(Request.Put put, Fingerprint digest) {
        try {
            return new Request.Put(put.region().digested(digest), true);
        } catch (BadChunkException e) {
            return put;
        }
    }

    /** Nobody asks for what was begun; returns when no thread looks at the frames any more. */
    void forget() {
        for (FutureTask<?> task : begun.values()) {
            task.run(); // Unless another thread has.
            Futures.getUnchecked(task);
        }
        begun.clear();
    }

    /** The request in a frame, whose turn it is. */
    Request request(Frame frame) throws DamagedDataException, InterruptedException {
        FutureTask<IdentityHashMap<Frame, Read>> task = begun.remove(frame);
        if (task == null) {
            return frame.request(peer);
        }
        task.run(); // Unless another thread has.
        try {
            return task.get().getOrDefault(frame, () -> frame.request(peer)).request();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
