// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.lists.PageRun;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Where the sessions of clients and a collection meet. A session tells a client that a chunk is kept, or that a
 * snapshot is published, only after it has held the gate; a collection begins, and forgets chunks, only while no
 * session holds it. Sessions hold it together, each for one request. A chunk that a session finds while a collection is
 * under way is marked before the client hears of it.
 *
 * <p>Lock order: the gate, then a session's {@link LiveRoots}, then the store.
 */
public final class CollectionGate {

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Set<LiveRoots> sessions = ConcurrentHashMap.newKeySet();

    /** Of all sessions together. */
    private final AtomicInteger promises = new AtomicInteger();

    /** Of the collection that is under way; changed only under the write lock. */
    private @Nullable ChunkMarks marks;

    /** Pages that drafts have shared since the collection began, which it has still to look at. */
    private final Queue<PageRun> shared = new ConcurrentLinkedQueue<>();

    /** Snapshots that were published since it began: what they brought is not garbage. */
    private final Set<Long> published = ConcurrentHashMap.newKeySet();

    /** What to do while the gate is held. */
    public interface Step<T, E extends Exception> {
        /** Does it. */
        T run() throws IOException, E;
    }

    /** Runs one step of a session; no collection begins or forgets chunks meanwhile. */
    public <T, E extends Exception> T held(Step<T, E> step) throws IOException, E {
        lock.readLock().lock();
        try {
            return step.run();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** The roots of a new session, known to every collection until they are closed. */
    public LiveRoots newSession() {
        LiveRoots roots = new LiveRoots(this);
        sessions.add(roots);
        return roots;
    }

    void forget(LiveRoots roots) {
        sessions.remove(roots);
    }

    /** So many more promises are remembered, or fewer; returns how many there are of all sessions. */
    int countPromises(int more) {
        return promises.addAndGet(more);
    }

    /** To be called while the gate is held, for every chunk that a client will hear is there. */
    void found(ChunkLocation location) {
        if (marks != null) {
            marks.mark(location);
        }
    }

    /**
     * To be called while the gate is held: a draft's list goes on with these pages of a snapshot that is in the
     * catalogue.
     */
    public void shared(List<PageRun> pages) {
        if (marks != null) {
            shared.addAll(pages);
        }
    }

    /**
     * To be called while the gate is held: a snapshot is in the catalogue. Its draft is its session's root until then.
     */
    public void published(long id) {
        if (marks != null) {
            published.add(id);
        }
    }

    /** The next pages that drafts have shared; empty if there are none. */
    Optional<PageRun> nextShared() {
        return Optional.ofNullable(shared.poll());
    }

    /**
     * Within {@link #alone}: whether a snapshot was published since the collection began, or its draft may be in this
     * moment.
     */
    boolean isPublished(long id) {
        return published.contains(id)
                || sessions.stream().anyMatch(session -> session.draft()
                        .filter(draft -> draft.isSealedAs(id))
                        .isPresent());
    }

    /** Runs one step of the collection; no session holds the gate meanwhile, so it must be short. */
    <T> T alone(Step<T, RuntimeException> step) throws IOException {
        lock.writeLock().lock();
        try {
            return step.run();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Within {@link #alone}: from now on what sessions find is marked here. Returns whether no other collection is
     * under way.
     */
    boolean begin(ChunkMarks fresh) {
        if (marks != null) {
            return false;
        }
        marks = fresh;
        shared.clear();
        published.clear();
        return true;
    }

    /** Within {@link #alone}: the collection is over. */
    void end() {
        marks = null;
        shared.clear();
        published.clear();
    }

    /** The sessions of this moment. */
    List<LiveRoots> sessions() {
        return List.copyOf(sessions);
    }
}
