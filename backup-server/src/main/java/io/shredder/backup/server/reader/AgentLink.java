// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.server.restore.ChunkFetcher;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.wire.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to an agent that may die and come back. Whoever finds that a way is lost says so, and asks for the next one,
 * which waits until the agent is there again, or patience has ended. Safe for several threads.
 */
final class AgentLink implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentLink.class);
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 2_000;

    private final AgentSource source;
    private final Fetchers fetchers;
    private final Duration patience;
    private final UUID repository;
    private final ExecutorService closer = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "reader-close");
        thread.setDaemon(true);
        return thread;
    });

    /** None while the agent is away. */
    private @Nullable Way current;

    private volatile SnapshotList list;
    private boolean connecting;
    private long lostNs;
    private long receivedBefore;
    private long answersBefore;
    private int reconnections;
    private boolean closed;

    /** Makes what fetches by a connection. */
    @FunctionalInterface
    interface Fetchers {
        ChunkFetcher of(AgentClient agent);
    }

    /** One connection, or an agent in this process, and what asks by it. */
    static final class Way {
        private final AgentClient agent;
        private final ChunkFetcher fetcher;
        private final SnapshotList list;
        private final Map<Long, CompletableFuture<?>> awaited = new ConcurrentHashMap<>();
        private final AtomicLong requests = new AtomicLong();
        private volatile boolean closed;

        private Way(AgentClient agent, ChunkFetcher fetcher, SnapshotList list) {
            this.agent = agent;
            this.fetcher = fetcher;
            this.list = list;
        }

        /** Asks for chunks; fails as lost, at the latest, when the way is closed. */
        CompletableFuture<ChunkFetcher.Fetched> fetch(List<ChunkRef> chunks) {
            CompletableFuture<ChunkFetcher.Fetched> fetched;
            try {
                fetched = fetcher.fetch(chunks, 0);
            } catch (RejectedExecutionException e) {
                return CompletableFuture.failedFuture(gone());
            }
            Long number = requests.incrementAndGet();
            awaited.put(number, fetched);
            var unused = fetched.whenComplete((done, error) -> awaited.remove(number));
            if (closed) {
                fetched.completeExceptionally(gone());
            }
            return fetched;
        }

        SnapshotList list() {
            return list;
        }

        /** How much may be under way. */
        int windowBytes() {
            return agent.windowBytes();
        }

        private void close() {
            try {
                agent.close();
            } catch (IOException e) {
                LOG.debug("closing a lost connection: {}", e.getMessage());
            }
            fetcher.close();
            closed = true;
            awaited.values().forEach(future -> future.completeExceptionally(gone()));
        }
    }

    /**
     * Takes over the first connection.
     *
     * @param list of the snapshot, by that
     */
    AgentLink(AgentClient first, SnapshotList list, AgentSource source, Fetchers fetchers, Duration patience) {
        this.source = source;
        this.fetchers = fetchers;
        this.patience = patience;
        this.list = list;
        this.repository = first.greeting().repository();
        this.current = new Way(first, fetchers.of(first), list);
    }

    private static AgentException gone() {
        return new AgentException(
                AgentException.Kind.UNREACHABLE, "lost the connection to the agent", new java.io.EOFException());
    }

    /** Whether an error is of the connection, and another may do better. */
    static boolean isLoss(Throwable error) {
        return error instanceof AgentException agent
                && (agent.kind() == AgentException.Kind.UNREACHABLE
                        || agent.kind() == AgentException.Kind.PROTOCOL
                        || agent.code() == ErrorCode.BUSY
                        || agent.code() == ErrorCode.TIMED_OUT);
    }

    /**
     * The way that is good as far as anybody knows; waits for an agent that is away.
     *
     * @throws IOException if patience has ended, or this is closed
     */
    Way way() throws IOException {
        synchronized (this) {
            awaitOthers();
            if (closed) {
                throw new IOException("the reader is closed");
            } else if (current != null) {
                return current;
            }
            connecting = true;
        }
        try {
            return connected(); // Without the lock: who notices a loss on the connection's own thread must not wait.
        } finally {
            synchronized (this) {
                connecting = false;
                notifyAll();
            }
        }
    }

    private Way connected() throws IOException {
        long pauseMs = FIRST_PAUSE_MS;
        while (true) {
            try {
                return begin(connect());
            } catch (IOException e) {
                synchronized (this) {
                    if (closed || System.nanoTime() - lostNs >= patience.toNanos()) {
                        throw new IOException(
                                "the agent has been away for more than " + patience.toSeconds() + " s: "
                                        + e.getMessage(),
                                e);
                    }
                    pause(pauseMs);
                }
                pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
            }
        }
    }

    private synchronized Way begin(Way made) throws IOException {
        if (closed) {
            made.close();
            throw new IOException("the reader is closed");
        }
        current = made;
        list = made.list();
        reconnections++;
        LOG.warn("the agent is there again");
        return made;
    }

    /** While somebody connects already. */
    private synchronized void awaitOthers() throws IOException {
        try {
            while (current == null && connecting && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private synchronized void pause(long milliseconds) throws IOException {
        long untilNs = System.nanoTime() + milliseconds * 1_000_000;
        try {
            for (long leftMs = milliseconds;
                    leftMs > 0 && !closed;
                    leftMs = (untilNs - System.nanoTime()) / 1_000_000) {
                wait(leftMs);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while waiting for the agent", e);
    }

    private Way connect() throws IOException {
        AgentClient agent = source.connect();
        if (!agent.greeting().repository().equals(repository)) {
            agent.close();
            throw new IOException("another repository answers there: start the agent of the one that was opened");
        }
        return new Way(agent, fetchers.of(agent), list.at(agent));
    }

    /** Somebody found that this way is lost; what else waits for it fails soon. */
    synchronized void lost(Way way) {
        if (way != current) {
            return;
        }
        current = null;
        lostNs = System.nanoTime();
        receivedBefore += way.agent.receivedBytes();
        answersBefore += way.agent.answers();
        if (!closed) {
            LOG.warn("lost the agent, waiting for it for up to {} s", patience.toSeconds());
            closer.execute(way::close);
        }
    }

    /** Whether nobody said that it is lost. */
    synchronized boolean isCurrent(Way way) {
        return way == current;
    }

    synchronized long receivedBytes() {
        return receivedBefore + (current == null ? 0 : current.agent.receivedBytes());
    }

    synchronized long answers() {
        return answersBefore + (current == null ? 0 : current.agent.answers());
    }

    synchronized int reconnections() {
        return reconnections;
    }

    @Override
    public void close() {
        Way last;
        synchronized (this) {
            last = current;
            closed = true;
            current = null;
            notifyAll();
        }
        if (last != null) {
            last.close();
        }
        closer.shutdown();
    }
}
