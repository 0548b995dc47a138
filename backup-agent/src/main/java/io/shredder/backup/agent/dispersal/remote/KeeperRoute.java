// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import com.google.common.base.Throwables;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameDecoder;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SilenceWatch;
import io.shredder.backup.wire.WireFormat;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperRequest;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;

/**
 * One TLS connection to a keeper. Many requests may be under way on it; answers complete on its own thread, {@code
 * keeper-io}. Safe for any number of threads.
 */
final class KeeperRoute implements Closeable {

    /** After which a keeper that says nothing is given up, or takes nothing. */
    static final Duration SILENCE = Duration.ofSeconds(45);

    /** Each of: the connection of TCP, the handshake of TLS, the keeper's greeting. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    /** Of appends that are under way. */
    private static final int ROOM_BYTES = 16 << 20;

    private final HostPort keeper;
    private final EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("keeper-io", true));
    private final AtomicInteger requestIds = new AtomicInteger(WireFormat.NO_REQUEST);
    private final Semaphore room = new Semaphore(ROOM_BYTES);
    private final KeeperAnswers answers;
    private final SilenceWatch watch;
    private final Duration silence;
    private final Channel channel;
    private final UUID process;
    private volatile boolean agreed;

    /** Connects, checks the keeper's certificate and host name, shows the own certificate, and agrees on a version. */
    KeeperRoute(HostPort keeper, SslContext tls, Duration silence) throws IOException {
        this.keeper = keeper;
        this.silence = silence;
        this.watch = new SilenceWatch(silence, this::judge);
        this.answers = new KeeperAnswers(keeper, watch);
        try {
            this.channel = open(tls);
            KeeperAnswer.Greeting greeting = awaitGreeting();
            this.process = greeting.process();
            agree(greeting);
        } catch (IOException | RuntimeException e) {
            shutDown();
            throw e;
        }
    }

    private Channel open(SslContext tls) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.RCVBUF_ALLOCATOR, FrameDecoder.reads())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) HANDSHAKE.toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        opened.pipeline()
                                .addLast(handler(tls, opened))
                                .addLast(watch)
                                .addLast(new FrameDecoder("keeper " + keeper, new CellBodies()))
                                .addLast(answers);
                    }
                });
        ChannelFuture connected =
                bootstrap.connect(keeper.host(), keeper.port()).awaitUninterruptibly();
        if (!connected.isSuccess()) {
            throw new IOException(
                    "can't reach keeper " + keeper + " (" + connected.cause().getMessage()
                            + "): is 'backup-agent keep' running there?",
                    connected.cause());
        }
        return connected.channel();
    }

    private SslHandler handler(SslContext tls, Channel opened) {
        SslHandler handler = tls.newHandler(opened.alloc(), keeper.host(), keeper.port());
        handler.setHandshakeTimeoutMillis(HANDSHAKE.toMillis());
        handler.setWrapDataSize(0); // All of a frame at once, not a record's length after the other.
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    /** The keeper greets only after it has accepted this side's certificate. */
    private KeeperAnswer.Greeting awaitGreeting() throws IOException {
        try {
            return answers.greeting().get(2 * HANDSHAKE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw problem(e);
        } catch (TimeoutException e) {
            throw new IOException("keeper " + keeper + " didn't greet within " + 2 * HANDSHAKE.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keeper " + keeper + " was connected to", e);
        }
    }

    private void agree(KeeperAnswer.Greeting greeting) throws IOException {
        int version = Math.min(greeting.maxVersion(), KeepFormat.MAX_VERSION);
        if (version < greeting.minVersion() || version < KeepFormat.MIN_VERSION) {
            throw new IOException("keeper " + keeper + " speaks versions " + greeting.minVersion() + " to "
                    + greeting.maxVersion() + ", this program " + KeepFormat.MIN_VERSION + " to "
                    + KeepFormat.MAX_VERSION + ": upgrade the older side");
        }
        Request hello = new Request.Hello(version, "shredder backup-agent");
        var unused = channel.writeAndFlush(
                Frame.encode(channel.alloc(), WireFormat.NO_REQUEST, hello), channel.voidPromise());
        agreed = true;
        channel.eventLoop().execute(() -> watch.keepAlive(channel.pipeline().context(answers)));
    }

    /** A keeper that hangs, or the way to it, is given up. */
    private void judge(Duration unheard, Optional<Duration> untaken) {
        Duration longest = untaken.filter(time -> time.compareTo(unheard) > 0).orElse(unheard);
        if (agreed && longest.compareTo(silence) >= 0) {
            answers.fail(
                    channel,
                    new IOException("keeper " + keeper + " has been silent for " + longest.toSeconds() + " s"));
        }
    }

    /** Which process it is, whatever its address. */
    UUID process() {
        return process;
    }

    boolean isOpen() {
        return channel.isActive();
    }

    /** Asks without waiting; the request's bytes are taken before this returns. */
    <T extends KeeperAnswer> CompletableFuture<T> ask(KeeperRequest request, Class<T> type) {
        int id = requestIds.incrementAndGet();
        int requestId = id != WireFormat.NO_REQUEST ? id : requestIds.incrementAndGet();
        CompletableFuture<T> answer = answers.expect(requestId, type);
        var unused = channel.writeAndFlush(Frame.encode(channel.alloc(), requestId, request), channel.voidPromise());
        return answer;
    }

    <T extends KeeperAnswer> T await(KeeperRequest request, Class<T> type) throws IOException {
        return await(ask(request, type));
    }

    /** The result of what was asked. */
    static <T> T await(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw problem(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a keeper was asked", e);
        }
    }

    /** What went wrong, as whoever asked is told. */
    static IOException problem(Throwable error) {
        for (Throwable cause : Throwables.getCausalChain(error)) {
            if (cause instanceof IOException problem) {
                return problem;
            }
        }
        return new IOException(error);
    }

    /** Waits until so many bytes more may be under way, at most {@link KeepFormat#MAX_BYTES}. */
    void awaitRoom(int bytes) throws IOException {
        try {
            room.acquire(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keeper " + keeper + " took its time", e);
        }
    }

    void giveBackRoom(int bytes) {
        room.release(bytes);
    }

    /** Does something after a while, on the connection's own thread. */
    void after(Duration pause, Runnable action) {
        var unused = loop.schedule(action, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void shutDown() {
        var unused = loop.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }

    /** Closes the connection. What still waits fails. */
    @Override
    public void close() {
        var unused = channel.close();
        shutDown();
    }
}
