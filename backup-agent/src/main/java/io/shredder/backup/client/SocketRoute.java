// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.protocol.AgentRoute;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.BodyArrays;
import io.shredder.backup.protocol.ErrorCode;
import io.shredder.backup.protocol.Frame;
import io.shredder.backup.protocol.FrameDecoder;
import io.shredder.backup.protocol.HostPort;
import io.shredder.backup.protocol.Request;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.backup.protocol.TlsFiles;
import io.shredder.backup.protocol.WireFormat;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;

/** One TLS connection to an agent that serves; has one thread of its own, {@code agent-client-io}, where answers complete. */
final class SocketRoute implements AgentRoute {

    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final int HANDSHAKE_TIMEOUT_MS = 20_000;

    /** Memory for answers to a window of requests, and for twice as many that somebody is working on; an array may have some room to spare. */
    private static final int KEPT_BYTES = 4 * FlowWindow.START_BYTES;

    private final EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("agent-client-io", true));
    private final WireBytes wireBytes = new WireBytes();
    private final BodyArrays bodies = new BodyArrays(KEPT_BYTES);
    private final AtomicInteger requestIds = new AtomicInteger(WireFormat.NO_REQUEST);
    private final AnswerHandler answers;
    private final Channel channel;
    private final Answer.Greeting greeting;

    /** Connects, checks the agent's certificate and host name, shows the own certificate, and agrees on a version. */
    SocketRoute(HostPort agent, TlsFiles tls) throws IOException {
        ConnectionErrors errors = new ConnectionErrors(agent, tls);
        this.answers = new AnswerHandler("agent " + agent, errors);
        try {
            this.channel = open(agent, tls.forClient(), errors);
            this.greeting = greeting(errors);
            agree(agent, greeting);
        } catch (IOException | RuntimeException e) {
            shutDown();
            throw e;
        }
    }

    /** Loads what the first connection needs. */
    static void prepare() {
        if (OpenSsl.isAvailable()) {
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
    }

    private Channel open(HostPort agent, SslContext context, ConnectionErrors errors) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.RCVBUF_ALLOCATOR, FrameDecoder.reads())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        opened.pipeline()
                                .addLast(wireBytes)
                                .addLast(tlsHandler(context, opened, agent))
                                .addLast(new FrameDecoder("agent " + agent, bodies))
                                .addLast(answers);
                    }
                });
        ChannelFuture connected = bootstrap.connect(agent.host(), agent.port()).awaitUninterruptibly();
        if (!connected.isSuccess()) {
            throw errors.of(connected.cause());
        }
        return connected.channel();
    }

    private static SslHandler tlsHandler(SslContext context, Channel channel, HostPort agent) {
        SslHandler handler = context.newHandler(channel.alloc(), agent.host(), agent.port());
        handler.setHandshakeTimeoutMillis(HANDSHAKE_TIMEOUT_MS);
        handler.setWrapDataSize(0); // All of a frame at once, not a record's length after the other.
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    /** The agent greets only after it has accepted this side's certificate. */
    private Answer.Greeting greeting(ConnectionErrors errors) throws IOException {
        try {
            return answers.greeting().get(HANDSHAKE_TIMEOUT_MS * 2L, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw errors.of(e);
        } catch (TimeoutException e) {
            throw errors.closed(false);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void agree(HostPort agent, Answer.Greeting first) throws AgentException {
        int version = Math.min(first.maxVersion(), WireFormat.MAX_VERSION);
        if (version < first.minVersion() || version < WireFormat.MIN_VERSION) {
            throw new AgentException(
                    ErrorCode.VERSION,
                    "agent " + agent + " speaks protocol versions " + first.minVersion() + " to " + first.maxVersion()
                            + ", this program " + WireFormat.MIN_VERSION + " to " + WireFormat.MAX_VERSION
                            + ": upgrade the older side");
        }
        Request hello = new Request.Hello(version, "shredder backup-server");
        var unused = channel.writeAndFlush(
                Frame.encode(channel.alloc(), WireFormat.NO_REQUEST, hello), channel.voidPromise());
    }

    @Override
    public Answer.Greeting greeting() {
        return greeting;
    }

    @Override
    public CompletableFuture<Answer> ask(Request request) {
        int requestId = nextRequestId();
        CompletableFuture<Answer> answer = answers.expect(requestId);
        var frame = Frame.encode(channel.alloc(), requestId, request);
        var unused = channel.writeAndFlush(frame, channel.voidPromise());
        return answer;
    }

    private int nextRequestId() {
        int id = requestIds.incrementAndGet();
        return id != WireFormat.NO_REQUEST ? id : requestIds.incrementAndGet();
    }

    @Override
    public void giveBack(List<StoredRegion> regions) {
        bodies.giveBack(regions);
    }

    /** Through the socket, TLS and all. */
    @Override
    public long sentBytes() {
        return wireBytes.sent();
    }

    /** Through the socket, TLS and all. */
    @Override
    public long receivedBytes() {
        return wireBytes.received();
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while waiting for the agent", e);
    }

    private void shutDown() {
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Closes the connection. What still waits fails. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown();
    }
}
