// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Invitation;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UploadRequest;
import io.shredder.backup.wire.WireFormat;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways that chunks go by: the client's first one until many have gone, then further ones, so that neither one TLS
 * stream nor one thread of the agent has all of them. While a snapshot is open they join its connection, so that their
 * chunks stay until its list points to them. One that can't be opened is done without. Safe for several threads.
 */
final class ChunkLanes implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ChunkLanes.class);

    /** So many bytes of chunks are no reason to open another connection. */
    private static final long FEW_BYTES = 32L << 20;

    private final Lane first;
    private final Connector connector;
    private final List<Lane> further = new CopyOnWriteArrayList<>();
    private final AtomicLong chunkBytes = new AtomicLong();

    /** How many may be opened, and how many were, or will be as soon as they can. */
    private volatile int allowed;

    private volatile int begun;

    /** Whether a snapshot is open on the first; changed and acted on under the lock. */
    private boolean isOpen;

    private boolean closed;

    /** Makes further ways to the same agent. */
    @FunctionalInterface
    interface Connector {
        AgentRoute connect() throws IOException;
    }

    /** The first stays the caller's. */
    ChunkLanes(Lane first, Connector connector) {
        this.first = first;
        this.connector = connector;
    }

    /** From now on so many further ones may be opened. */
    void allow(int count) {
        allowed = count;
    }

    /** The one for a request about chunks of so many bytes: of those with room the one that has least under way. */
    Lane next(int bytes) {
        if (allowed > begun && chunkBytes.addAndGet(bytes) >= FEW_BYTES) {
            open();
        }
        return usable().min(Comparator.comparingLong(Lane::underWay)).orElse(first);
    }

    private Stream<Lane> usable() {
        return further.stream().filter(lane -> lane.route().isOpen());
    }

    private synchronized void open() {
        int count = allowed - begun;
        if (count <= 0) {
            return;
        }
        begun = allowed;
        Thread thread = new Thread(() -> connect(count), "agent-client-connect");
        thread.setDaemon(true);
        thread.start();
    }

    private void connect(int count) {
        try {
            for (int i = 0; i < count; i++) {
                add(new Lane(connector.connect(), FlowWindow.FURTHER_START_BYTES));
            }
        } catch (IOException e) {
            LOG.info("{} further connections for chunks, no more: {}", further.size(), e.getMessage());
        }
    }

    private synchronized void add(Lane lane) throws IOException {
        try {
            if (closed) {
                throw new IOException("the client is closed");
            } else if (!lane.route()
                    .greeting()
                    .repository()
                    .equals(first.route().greeting().repository())) {
                throw new AgentException(ErrorCode.INVALID, "another repository answers there");
            } else if (isOpen) {
                join(lane);
            }
            further.add(lane);
        } catch (IOException | RuntimeException e) {
            lane.close();
            throw e;
        }
    }

    private void join(Lane lane) throws IOException {
        if (lane.route().version() < WireFormat.UPLOAD_VERSION) {
            throw new AgentException(ErrorCode.VERSION, "the agent takes the chunks of a snapshot by one alone");
        }
        Invitation invitation = ask(first, new UploadRequest.Invite(), Invitation.class);
        ask(lane, new UploadRequest.Join(invitation.token()), Answer.Done.class);
    }

    private static <T extends Answer> T ask(Lane lane, Request request, Class<T> type) throws IOException {
        return Answers.await(
                lane.ask(request, WireFormat.HEADER_BYTES).thenApply(answer -> Answers.expect(answer, type)));
    }

    /** A snapshot is open on the first from now on. */
    synchronized void begins() throws IOException {
        isOpen = true;
        for (Lane lane : further) {
            try {
                join(lane);
            } catch (IOException e) {
                LOG.info("a connection less for chunks: {}", e.getMessage());
                lane.close();
            }
        }
    }

    /** None is any more. */
    synchronized void ends() {
        isOpen = false;
    }

    /** How many bytes may be under way. */
    int windowBytes() {
        int bytes = usable().mapToInt(Lane::windowBytes).sum();
        return bytes > 0 ? bytes : first.windowBytes();
    }

    /** All but the first, those that are closed among them. */
    Stream<AgentRoute> further() {
        return further.stream().map(Lane::route);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        for (Lane lane : further) {
            lane.close();
        }
    }
}
