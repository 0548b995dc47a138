// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.Frame;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Gives each answer to whoever waits for it. The first error of the connection fails everything that waits, and all that comes. */
final class AnswerHandler extends SimpleChannelInboundHandler<Frame> {

    private final String peer;
    private final ConnectionErrors errors;
    private final CompletableFuture<Answer.Greeting> greeting = new CompletableFuture<>();
    private final Map<Integer, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable AgentException failure;

    AnswerHandler(String peer, ConnectionErrors errors) {
        super(Frame.class);
        this.peer = peer;
        this.errors = errors;
    }

    CompletableFuture<Answer.Greeting> greeting() {
        return greeting;
    }

    /** The future answer to a request that is about to be sent. */
    CompletableFuture<Answer> expect(int requestId) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        waiting.put(requestId, answer);
        AgentException failed = failure;
        if (failed != null) {
            waiting.remove(requestId);
            answer.completeExceptionally(failed);
        }
        return answer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) throws DamagedDataException {
        Answer answer = frame.answer(peer);
        if (frame.requestId() == WireFormat.NO_REQUEST) {
            connectionLevel(context, answer);
            return;
        }
        CompletableFuture<Answer> waiter = waiting.remove(frame.requestId());
        if (waiter == null) {
            throw new DamagedDataException(
                    peer,
                    frame.streamOffset() + 4,
                    "an answer to request " + frame.requestId() + ", which waits for none");
        }
        waiter.complete(answer);
    }

    private void connectionLevel(ChannelHandlerContext context, Answer answer) {
        if (answer instanceof Answer.Greeting first) {
            greeting.complete(first);
        } else if (answer instanceof Answer.Failure failed) {
            fail(context, new AgentException(failed.code(), failed.text()));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(context, errors.closed(greeting.isDone() && !greeting.isCompletedExceptionally()));
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
            CompletableFuture<Answer> waiter = waiting.remove(requestId);
            if (waiter != null) {
                waiter.completeExceptionally(first);
            }
        }
        var unused = context.close();
    }
}
