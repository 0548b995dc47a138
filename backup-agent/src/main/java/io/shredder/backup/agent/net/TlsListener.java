// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import io.shredder.backup.wire.FrameDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** How a daemon listens for clients over TLS. */
public final class TlsListener {

    private static final long LONGEST_STOP_S = 5;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    private TlsListener() {}

    /** Whether each of a daemon's threads for connections takes up work within a time that is long for them. */
    public static boolean answer(EventLoopGroup... loops) throws InterruptedException {
        List<Future<?>> asked = new ArrayList<>();
        for (EventLoopGroup group : loops) {
            group.forEach(loop -> asked.add(loop.submit(() -> {})));
        }
        long until = System.nanoTime() + LONGEST_ANSWER.toNanos();
        for (Future<?> answer : asked) {
            if (!answer.await(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    /** Ends the threads of a daemon, which has closed what it listened at. */
    public static void shutDown(EventLoopGroup... loops) {
        for (EventLoopGroup loop : loops) {
            loop.shutdownGracefully(0, LONGEST_STOP_S, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /**
     * Starts to listen. Port 0 takes any free port.
     *
     * @param acceptor takes connections; stays the caller's, as does {@code carriers}
     * @param carriers carry their frames
     * @param handlers adds to a connection what handles its frames, behind TLS; on one of {@code carriers}
     * @return is closed to take no more connections
     */
    public static Channel bind(
            EventLoopGroup acceptor,
            EventLoopGroup carriers,
            SslContext tls,
            Consumer<Channel> handlers,
            InetSocketAddress listen)
            throws IOException {
        if (listen.isUnresolved()) {
            throw new IOException("can't listen on " + listen.getHostString() + ": the host is unknown");
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(acceptor, carriers)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new AcceptErrors())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RCVBUF_ALLOCATOR, FrameDecoder.reads())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        handlers.accept(channel);
                    }
                });
        ChannelFuture bound = bootstrap.bind(listen).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("can't listen on " + listen + ": "
                    + bound.cause().getMessage() + ": choose another address with --listen, port 0 for any free one");
        }
        return bound.channel();
    }
}
