// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import com.google.common.base.Throwables;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.shredder.backup.agent.dispersal.home.HomeInUseException;
import io.shredder.backup.agent.dispersal.home.OtherWriterException;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.SilenceWatch;
import io.shredder.backup.wire.WireFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Gives each answer to whoever waits for it. The connection's first error fails all that waits and all that comes. */
final class KeeperAnswers extends SimpleChannelInboundHandler<Frame> {

    private final HostPort keeper;
    private final String peer;
    private final SilenceWatch watch;
    private final CompletableFuture<KeeperAnswer.Greeting> greeting = new CompletableFuture<>();
    private final Map<Integer, Waiter<?>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable IOException failure;

    /** Who waits for an answer of a type. */
    private record Waiter<T extends KeeperAnswer>(Class<T> type, CompletableFuture<T> answer) {

        void take(KeeperAnswer given, String peer) throws DamagedDataException {
            if (!type.isInstance(given)) {
                throw new DamagedDataException(peer, 0, given.type() + " answers what asked for something else");
            }
            answer.complete(type.cast(given));
        }
    }

    KeeperAnswers(HostPort keeper, SilenceWatch watch) {
        super(Frame.class);
        this.keeper = keeper;
        this.peer = "keeper " + keeper;
        this.watch = watch;
    }

    CompletableFuture<KeeperAnswer.Greeting> greeting() {
        return greeting;
    }

    /** The future answer to a request that is about to be sent. */
    <T extends KeeperAnswer> CompletableFuture<T> expect(int requestId, Class<T> type) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        waiting.put(requestId, new Waiter<>(type, answer));
        IOException failed = failure;
        if (failed != null) {
            waiting.remove(requestId);
            answer.completeExceptionally(failed);
        }
        return answer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) throws DamagedDataException {
        if (frame.type() == FrameType.KEEP_ALIVE) {
            watch.heard(frame.keepAlive(peer), context);
        } else if (frame.requestId() == WireFormat.NO_REQUEST) {
            connectionLevel(context, frame);
        } else {
            Waiter<?> waiter = waiting.remove(frame.requestId());
            if (waiter == null) {
                throw new DamagedDataException(
                        peer, frame.streamOffset() + 4, "an answer to request " + frame.requestId() + ", of nobody");
            }
            answer(waiter, frame);
        }
    }

    private void answer(Waiter<?> waiter, Frame frame) throws DamagedDataException {
        try {
            if (frame.type() == FrameType.ERROR && frame.answer(peer) instanceof Answer.Failure failed) {
                waiter.answer().completeExceptionally(refusal(failed));
            } else {
                waiter.take(KeeperAnswer.read(frame.type(), frame.reader(peer)), peer);
            }
        } catch (DamagedDataException e) {
            waiter.answer().completeExceptionally(lost(e));
            throw e;
        }
    }

    /** What a keeper says no to. */
    private IOException refusal(Answer.Failure failed) {
        return switch (failed.code()) {
            case NOT_FOUND -> new NoSuchFileException(failed.text());
            case DAMAGED -> new DamagedDataException(peer, 0, failed.text());
            case IN_USE -> new HomeInUseException(failed.text());
            case OTHER_WRITER -> new OtherWriterException(failed.text());
            default -> new IOException(peer + ": " + failed.text());
        };
    }

    private void connectionLevel(ChannelHandlerContext context, Frame frame) throws DamagedDataException {
        if (frame.type() == FrameType.ERROR && frame.answer(peer) instanceof Answer.Failure failed) {
            fail(context.channel(), new IOException(peer + " closes the connection: " + failed.text()));
        } else if (KeeperAnswer.read(frame.type(), frame.reader(peer)) instanceof KeeperAnswer.Greeting first) {
            greeting.complete(first);
        } else {
            throw new DamagedDataException(peer, frame.streamOffset(), frame.type() + " to no request");
        }
    }

    /** Something that is no answer is no word of the keeper's on a file either: it is not to be believed. */
    private IOException lost(Throwable error) {
        Throwable root = Throwables.getRootCause(error);
        return new IOException("lost the connection to keeper " + keeper + ": " + root.getMessage(), error);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        String text = greeting.isDone()
                ? "keeper " + keeper + " closed the connection"
                : "keeper " + keeper + " closed the connection before its greeting: most likely it doesn't accept the"
                        + " certificate; its log says why";
        fail(context.channel(), new IOException(text));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            Throwable cause = Throwables.getRootCause(handshake.cause());
            fail(
                    context.channel(),
                    new IOException(
                            "no TLS connection to keeper " + keeper + " (" + cause.getMessage()
                                    + "): see that both certificates are of the authorities named, and for that host",
                            cause));
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
        fail(context.channel(), lost(error));
    }

    void fail(Channel channel, IOException error) {
        if (failure == null) {
            failure = error;
        }
        IOException first = failure;
        greeting.completeExceptionally(first);
        for (Integer requestId : List.copyOf(waiting.keySet())) {
            Waiter<?> waiter = waiting.remove(requestId);
            if (waiter != null) {
                waiter.answer().completeExceptionally(first);
            }
        }
        var unused = channel.close();
    }
}
