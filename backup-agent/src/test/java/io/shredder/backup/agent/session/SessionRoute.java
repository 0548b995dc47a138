// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.RegionRecords;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A client's session without a network, as a client asks it: one thread of its own answers in order. */
final class SessionRoute implements AgentRoute {

    private static final int KEPT_BYTES = 1 << 20;

    private final ClientSession session;
    private final SessionAnswers answers;
    private final Answer.Greeting greeting;
    private final BodyBuffers bodies = BodyBuffers.onHeap(KEPT_BYTES);
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread started = new Thread(work, "session-route");
        started.setDaemon(true);
        return started;
    });
    private boolean closed;

    SessionRoute(Repository repository, ClientAccess access) {
        this.session = new ClientSession(repository, access, ShownCertificate.fixed(access));
        this.answers = new SessionAnswers(session, access.client());
        this.greeting = new Answer.Greeting(
                WireFormat.MIN_VERSION,
                WireFormat.MAX_VERSION,
                RegionFormat.MAX_CHUNK_BYTES,
                repository.id(),
                access.client(),
                "a session in this process");
    }

    @Override
    public Answer.Greeting greeting() {
        return greeting;
    }

    /** As if it were one agent on a network. */
    @Override
    public Optional<String> address() {
        return Optional.of("session:1");
    }

    @Override
    public int version() {
        return greeting.maxVersion();
    }

    @Override
    public CompletableFuture<Answer> ask(Request request) {
        Request taken = copy(request);
        return CompletableFuture.supplyAsync(() -> answer(taken), thread);
    }

    /** Whoever asked may use the bytes of what was asked again. */
    private static Request copy(Request request) {
        ByteBuffer body = ByteBuffer.allocate(request.bodyBytes());
        request.writeBody(body);
        try {
            return Request.read(request.type(), new BodyReader(body.flip(), "client", 0));
        } catch (DamagedDataException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private Answer answer(Request request) {
        Answer answer = answers.to(request);
        if (!(answer instanceof RegionRecords records)) {
            return answer;
        }
        try {
            return records.received(bodies, "repository");
        } catch (DamagedDataException e) {
            return new Answer.Failure(ErrorCode.DAMAGED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void giveBack(List<StoredRegion> regions) {
        bodies.giveBack(regions);
    }

    @Override
    public long sentBytes() {
        return 0;
    }

    @Override
    public long receivedBytes() {
        return 0;
    }

    /** Ends the session; does nothing the second time. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        thread.shutdown();
        try {
            thread.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        session.close();
    }
}
