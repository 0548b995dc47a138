// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.wire.RegionRecords;
import io.shredder.backup.wire.Request;
import java.io.Closeable;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Answers the FETCH_MANYs of one connection. Other threads read what those need that wait, while the ones before them
 * are answered; what nobody has begun on when it is its turn the connection's own thread reads. What could not be read
 * ahead is read again in its turn, which says what is wrong. For one thread; the connection's requests between those
 * that are begun here must change nothing.
 */
public final class FetchesAhead implements Closeable {

    /** So many are read ahead at most, each by a reader that keeps some files open. */
    private static final int MOST = 8;

    private final ChunkStore chunks;
    private final Workers workers;
    private final RequestRights rights;
    private final int most;
    private final ManyFetches own;
    private final IdentityHashMap<Request.FetchMany, FutureTask<Optional<RegionRecords>>> begun =
            new IdentityHashMap<>();

    /** Of threads that are done. */
    private final Queue<ContainerReader> idle = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    /** @param reader of the connection's own thread; stays the caller's */
    public FetchesAhead(Repository repository, RequestRights rights, ContainerReader reader) {
        this.chunks = repository.chunks();
        this.workers = repository.workers();
        this.rights = rights;
        this.most = Math.min(MOST, workers.count());
        this.own = new ManyFetches(chunks, reader);
    }

    /** Whether this one, too, may be begun. */
    public boolean mayBegin(Request.FetchMany request) {
        return begun.size() < most && rights.permits(request);
    }

    /** Has a request read whose turn has not come. Its answer takes no more than it allows. */
    public void begin(Request.FetchMany request) {
        FutureTask<Optional<RegionRecords>> task = new FutureTask<>(() -> readAhead(request));
        begun.put(request, task);
        workers.execute(task);
    }

    private Optional<RegionRecords> readAhead(Request.FetchMany request) throws IOException {
        if (closed) {
            return Optional.empty();
        }
        ContainerReader known = idle.poll();
        ContainerReader reader = known == null ? chunks.newReader() : known;
        try {
            return new ManyFetches(chunks, reader).answerWithin(request);
        } finally {
            idle.add(reader);
        }
    }

    /** How many of those that were begun are done, and not yet asked for. */
    public long done() {
        return begun.values().stream().filter(FutureTask::isDone).count();
    }

    /** Whether {@link #answer} has an answer to a request whose turn it is; waits for it if it is being read. */
    public boolean isRead(Request.FetchMany request) {
        FutureTask<Optional<RegionRecords>> task = begun.get(request);
        if (task == null) {
            return false;
        }
        task.run(); // Unless another thread has.
        if (result(task).isEmpty()) {
            begun.remove(request);
            return false;
        }
        return true;
    }

    private static Optional<RegionRecords> result(FutureTask<Optional<RegionRecords>> task) {
        Workers.awaitEnd(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException("it is over", e);
        } catch (ExecutionException e) {
            return Optional.empty(); // Whoever reads it in its turn finds that out once more, and says so.
        }
    }

    /** The answer to a request whose turn it is. */
    public RegionRecords answer(Request.FetchMany request) throws IOException, RefusedException {
        FutureTask<Optional<RegionRecords>> task = isRead(request) ? begun.remove(request) : null;
        return task == null ? own.answer(request) : result(task).orElseThrow();
    }

    /** Waits for what is being read, and forgets it. */
    @Override
    public void close() throws IOException {
        closed = true;
        for (FutureTask<Optional<RegionRecords>> task : begun.values()) {
            task.run();
            result(task).ifPresent(RegionRecords::release);
        }
        begun.clear();
        for (ContainerReader reader = idle.poll(); reader != null; reader = idle.poll()) {
            reader.close();
        }
    }
}
