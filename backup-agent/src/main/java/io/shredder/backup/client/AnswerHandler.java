// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.KeepAlive;
import io.shredder.backup.wire.Window;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Gives each answer to whoever waits for it. The connection's first error fails all that waits and all that comes. */
final class AnswerHandler extends SimpleChannelInboundHandler<Frame> {

    private final String peer;
    private final ConnectionErrors errors;
    private final CompletableFuture<Answer.Greeting> greeting = new CompletableFuture<>();
    private final Consumer<KeepAlive> keepAlives;
    private final IntConsumer windows;
    private final Map<Integer, Waiter> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable AgentException failure;

    /** A request that was sent, and who waits for its answer. */
    private record Waiter(FrameType request, long askedNs, CompletableFuture<Answer> answer) {}

    /**
     * Of one connection.
     *
     * @param keepAlives gets those of the agent, on the event loop
     * @param windows gets how much the agent wants to have under way, there, too
     */
    AnswerHandler(String peer, ConnectionErrors errors, Consumer<KeepAlive> keepAlives, IntConsumer windows) {
        super(Frame.class);
        this.peer = peer;
        this.errors = errors;
        this.keepAlives = keepAlives;
        this.windows = windows;
    }

    CompletableFuture<Answer.Greeting> greeting() {
        return greeting;
    }

    /** The future answer to a request that is about to be sent. */
    CompletableFuture<Answer> expect(int requestId, FrameType request) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        waiting.put(requestId, new Waiter(request, System.nanoTime(), answer));
        AgentException failed = failure;
        if (failed != null) {
            waiting.remove(requestId);
            answer.completeExceptionally(failed);
        }
        return answer;
    }

    /** What is waited for longest: a request without its answer, if there is one. */
    Optional<FrameType> awaited() {
        return oldest().map(Waiter::request);
    }

    /** How long the request has been without its answer that is waited for longest. */
    Duration awaitedFor() {
        return oldest().map(waiter -> Duration.ofNanos(System.nanoTime() - waiter.askedNs))
                .orElse(Duration.ZERO);
    }

    private Optional<Waiter> oldest() {
        return waiting.values().stream().min((a, b) -> Long.signum(a.askedNs - b.askedNs));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) throws DamagedDataException {
        if (frame.type() == FrameType.KEEP_ALIVE) {
            keepAlives.accept(frame.keepAlive(peer));
            return;
        }
        Answer answer = frame.answer(peer);
        if (frame.requestId() == WireFormat.NO_REQUEST) {
            connectionLevel(context, answer);
            return;
        }
        Waiter waiter = waiting.remove(frame.requestId());
        if (waiter == null) {
            throw new DamagedDataException(
                    peer,
                    frame.streamOffset() + 4,
                    "an answer to request " + frame.requestId() + ", which waits for none");
        }
        waiter.answer.complete(answer);
    }

    private void connectionLevel(ChannelHandlerContext context, Answer answer) {
        if (answer instanceof Answer.Greeting first) {
            greeting.complete(first);
        } else if (answer instanceof Answer.Failure failed) {
            fail(context, new AgentException(failed.code(), failed.text()));
        } else if (answer instanceof Window window) {
            windows.accept(window.bytes());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(context, errors.closed(greeting.isDone() && !greeting.isCompletedExceptionally()));
    }

    /** A handshake that takes too long is no exception of the connection. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake
                && handshake.cause() instanceof SslHandshakeTimeoutException late) {
            fail(context, errors.of(late));
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
        fail(context, errors.of(error));
    }

    void fail(ChannelHandlerContext context, AgentException error) {
        if (failure == null) {
            failure = error;
        }
        AgentException first = failure;
        greeting.completeExceptionally(first);
        for (Integer requestId : List.copyOf(waiting.keySet())) {
            Waiter waiter = waiting.remove(requestId);
            if (waiter != null) {
                waiter.answer.completeExceptionally(first);
            }
        }
        var unused = context.close();
    }
}
