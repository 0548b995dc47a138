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
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameDecoder;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.KeepAlive;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SilenceWatch;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** One TLS connection to an agent that serves. Answers complete on its own thread, {@code agent-client-io}. */
final class SocketRoute implements AgentRoute {

    /** Each of: the connection of TCP, the handshake of TLS, the agent's greeting. */
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);

    /** Before the two have agreed. */
    private static final int UNKNOWN_VERSION = 0;

    private final EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("agent-client-io", true));
    private final WireBytes wireBytes = new WireBytes();
    private final BodyBuffers bodies;
    private final AtomicInteger requestIds = new AtomicInteger(WireFormat.NO_REQUEST);
    private final ConnectionErrors errors;
    private final Duration silence;
    private final String address;
    private final SilenceWatch watch;
    private final AnswerHandler answers;
    private final Channel channel;
    private volatile int version;
    private volatile IntConsumer windows = bytes -> {};
    private final Answer.Greeting greeting;

    /**
     * Connects, checks the agent's certificate and host name, shows the own certificate, and agrees on a version.
     *
     * @param silence after which the agent is given up
     * @param bodies memory for answers
     */
    SocketRoute(HostPort agent, TlsFiles tls, Duration silence, BodyBuffers bodies) throws IOException {
        this.bodies = bodies;
        this.address = agent.toString();
        this.errors = new ConnectionErrors(agent, tls);
        this.silence = silence;
        this.watch = new SilenceWatch(silence, this::judge);
        this.answers = new AnswerHandler("agent " + agent, errors, this::heard, bytes -> windows.accept(bytes));
        try {
            this.channel = open(agent, tls.forClient());
            this.greeting = awaitGreeting();
            this.version = agree(agent, greeting);
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

    private Channel open(HostPort agent, SslContext context) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.RCVBUF_ALLOCATOR, FrameDecoder.reads())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        handshakeLimit().toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        opened.pipeline()
                                .addLast(wireBytes)
                                .addLast(tlsHandler(context, opened, agent))
                                .addLast(watch)
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

    private SslHandler tlsHandler(SslContext context, Channel channel, HostPort agent) {
        SslHandler handler = TlsFiles.clientHandler(context, channel, agent, handshakeLimit());
        handler.setWrapDataSize(0); // All of a frame at once, not a record's length after the other.
        return handler;
    }

    private Duration handshakeLimit() {
        return silence.compareTo(HANDSHAKE_LIMIT) < 0 ? silence : HANDSHAKE_LIMIT;
    }

    /** The agent greets only after it has accepted this side's certificate. */
    private Answer.Greeting awaitGreeting() throws IOException {
        Duration limit = handshakeLimit().multipliedBy(2); // TLS has its own part of that.
        try {
            return answers.greeting().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw errors.of(e);
        } catch (TimeoutException e) {
            throw errors.notGreeted(limit);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * An agent that keeps the connection alive is given up once it is silent; of an older one that takes what is sent,
     * or of which nothing is due, nobody can tell.
     */
    private void judge(Duration unheard, Optional<Duration> untaken) {
        Duration silent = unheard;
        if (version < WireFormat.KEEP_ALIVE_VERSION) {
            silent = Collections.min(List.of(unheard, untaken.orElse(unheard), answers.awaitedFor()));
        }
        if (version != UNKNOWN_VERSION && silent.compareTo(silence) >= 0) {
            answers.fail(channel.pipeline().context(answers), errors.silent(answers.awaited(), silent));
        }
    }

    private void heard(KeepAlive word) {
        watch.heard(word, channel.pipeline().context(answers));
    }

    private int agree(HostPort agent, Answer.Greeting first) throws AgentException {
        int chosen = Math.min(first.maxVersion(), WireFormat.MAX_VERSION);
        if (chosen < first.minVersion() || chosen < WireFormat.MIN_VERSION) {
            throw new AgentException(
                    ErrorCode.VERSION,
                    "agent " + agent + " speaks protocol versions " + first.minVersion() + " to " + first.maxVersion()
                            + ", this program " + WireFormat.MIN_VERSION + " to " + WireFormat.MAX_VERSION
                            + ": upgrade the older side");
        }
        Request hello = new Request.Hello(chosen, "shredder backup-server");
        var unused = channel.writeAndFlush(
                Frame.encode(channel.alloc(), WireFormat.NO_REQUEST, hello), channel.voidPromise());
        if (chosen >= WireFormat.KEEP_ALIVE_VERSION) {
            channel.eventLoop().execute(() -> watch.keepAlive(channel.pipeline().context(answers)));
        }
        return chosen;
    }

    @Override
    public Optional<String> address() {
        return Optional.of(address);
    }

    @Override
    public Answer.Greeting greeting() {
        return greeting;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public boolean isOpen() {
        return channel.isActive();
    }

    @Override
    public CompletableFuture<Answer> ask(Request request) {
        int requestId = nextRequestId();
        CompletableFuture<Answer> answer = answers.expect(requestId, request.type());
        var frame = Frame.encode(channel.alloc(), requestId, request);
        var unused = channel.writeAndFlush(frame, channel.voidPromise());
        return answer;
    }

    private int nextRequestId() {
        int id = requestIds.incrementAndGet();
        return id != WireFormat.NO_REQUEST ? id : requestIds.incrementAndGet();
    }

    /** On the event loop. */
    @Override
    public void onWindow(IntConsumer told) {
        windows = told;
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
