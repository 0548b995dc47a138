// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.session.ClientSession;
import io.shredder.backup.agent.session.SessionAnswers;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of one connection: takes a request, has the session answer it, sends the answer. Disk work happens here,
 * never on an event loop. Stops between two requests.
 */
final class ClientWorker {

    private static final Logger LOG = LoggerFactory.getLogger(ClientWorker.class);
    private static final long STOP_TIMEOUT_MS = 10_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Repository repository;
    private final AgentConnection connection;
    private final ClientAccess access;
    private final ShownCertificate certificate;
    private final SnapshotName client;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Thread thread;
    private final RequestsAhead ahead;
    private final SessionActivity activity;
    private Runnable afterwards = () -> {};

    ClientWorker(
            Repository repository,
            PutDigests digests,
            AgentConnection connection,
            ClientAccess access,
            ShownCertificate certificate) {
        this.repository = repository;
        this.connection = connection;
        this.access = access;
        this.certificate = certificate;
        this.client = access.client();
        this.ahead = new RequestsAhead(digests, connection.peer());
        this.activity = new SessionActivity(access, connection.address(), repository::now);
        this.thread = new Thread(this::run, "agent-client-" + NUMBERS.incrementAndGet());
    }

    /** Whose requests it answers. */
    SnapshotName client() {
        return client;
    }

    /** What it has done so far; any thread may ask. */
    SessionStatus status() {
        return activity.status();
    }

    /** Called once, before {@link #start}. */
    void onEnd(Runnable action) {
        afterwards = action;
    }

    void start() {
        try {
            thread.start();
        } catch (RuntimeException | Error e) { // The system gives no thread: it has no place among clients either.
            afterwards.run();
            throw e;
        }
    }

    /**
     * Asks the worker to end after the request it is working on. It is interrupted only while it waits: an interrupt
     * would close the files it writes.
     */
    void stop() {
        if (!stopping.getAndSet(true)) {
            connection.wakeReader();
        }
    }

    /** Tells the client that the agent is stopping, and ends. */
    void stopAgent() {
        stop();
        connection.fail(ErrorCode.BUSY, "the agent is stopping: run the command again when it is back");
    }

    /** Waits for the end; a client that doesn't take its answers is cut off after a while. */
    void join() throws InterruptedException {
        thread.join(STOP_TIMEOUT_MS);
        if (thread.isAlive()) {
            connection.cutOff();
            thread.join();
        }
    }

    private void run() {
        LOG.info("client {} connected from {}", client, connection.peer());
        @Nullable FetchQueue fetches = null;
        try (ClientSession session = new ClientSession(repository, access, certificate)) {
            if (greeted()) {
                fetches = new FetchQueue(session.fetches(), connection.memory(), connection.peer());
                serve(new SessionAnswers(session, client), fetches);
            }
        } catch (DamagedDataException e) {
            connection.fail(ErrorCode.PROTOCOL, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.error("client {}: {}", client, e.getMessage());
            connection.fail(ErrorCode.STORAGE_FAILED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("no memory, no thread, or a bug, while client {} was served", client, e);
            failOrCutOff();
        } finally {
            LOG.info("client {} from {} is gone", client, connection.peer());
            if (fetches != null) {
                fetches.forget();
            }
            ahead.forget();
            connection.forget();
            afterwards.run();
        }
    }

    /** The client would wait for ever else: nobody answers it any more. */
    private void failOrCutOff() {
        try {
            connection.fail(ErrorCode.INTERNAL, "the agent failed: see its log, and run the command again");
        } catch (RuntimeException | Error e) {
            connection.cutOff();
        }
    }

    private boolean greeted() throws InterruptedException, DamagedDataException {
        Frame frame = connection.take();
        if (stopping.get()) {
            return false;
        }
        if (!(frame.request(connection.peer()) instanceof Request.Hello hello)) {
            throw new DamagedDataException(connection.peer(), 0, "the first frame is " + frame.type() + ", not HELLO");
        }
        if (hello.version() < WireFormat.MIN_VERSION || hello.version() > WireFormat.MAX_VERSION) {
            connection.fail(
                    ErrorCode.VERSION,
                    "protocol version " + hello.version() + " is not spoken here: upgrade the older side");
            return false;
        }
        connection.speaks(hello.version());
        connection.dispose(frame);
        return true;
    }

    private void serve(SessionAnswers answers, FetchQueue fetches) throws InterruptedException, DamagedDataException {
        while (true) {
            Frame frame = connection.take();
            if (stopping.get()) {
                return;
            }
            if (frame.requestId() == WireFormat.NO_REQUEST) {
                throw new DamagedDataException(connection.peer(), frame.streamOffset() + 4, "a request has number 0");
            }
            answer(frame, answers, fetches);
        }
    }

    /** To a client of version 5 a deletion that waits is one that was not done, and why. */
    private Answer known(Answer answer) {
        return answer instanceof UpkeepAnswer.Pending waiting && !connection.knowsPending()
                ? new Answer.Failure(
                        ErrorCode.NOT_PERMITTED,
                        waiting.deletion().map(PendingDeletion::toString).orElse("nothing waits"))
                : answer;
    }

    /** Memory for the largest answer is taken before the work begins, and kept for this one until it has gone. */
    private void answer(Frame frame, SessionAnswers answers, FetchQueue fetches)
            throws InterruptedException, DamagedDataException {
        ClientMemory memory = connection.memory();
        ahead.lookAt(frame, connection.waiting());
        Optional<FetchQueue.Begun> read = fetches.take(frame);
        Request request = read.isPresent() ? read.get().request() : ahead.request(frame);
        int taken = read.isPresent() ? read.get().bytes() : memory.takeWork(request, () -> !stopping.get());
        if (taken == 0) {
            return;
        }
        int kept = 0;
        Answer answer;
        try {
            if (request.type() == FrameType.FETCH_MANY) {
                fetches.lookAt(connection.waiting()); // Now that this one has its memory.
            }
            activity.begins(request, frame.body().limit());
            answer = known(answers.to(request));
            activity.answered(request, answer.bodyBytes());
            kept = Math.min(taken, ClientMemory.answerBytes(answer));
        } finally {
            memory.giveBackWork(taken - kept);
        }
        connection.dispose(frame);
        if (frame.type() == FrameType.PUT || frame.type() == FrameType.FETCH_MANY) {
            connection.tellWindow();
        }
        int answered = kept;
        connection.answer(frame.requestId(), answer, () -> memory.giveBackWork(answered));
    }
}
