// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Answers GET for those who watch, and POST where a site takes it. A connection has one request and ends after a time,
 * whatever its client does; nobody waits for another. One thread, which may be held back to a share of a core, so that
 * a flood takes no more. Without TLS there is no authentication: keep it on a local address, or behind what has some.
 */
public final class PageServer implements Closeable {

    private static final Duration LONGEST_CONNECTION = Duration.ofSeconds(10);
    private static final int MAX_REQUEST_BYTES = 16 << 10;

    /** That wait in the kernel. In a flood, who waits behind thousands has left before he is heard. */
    private static final int MOST_TO_ACCEPT = 128;

    private final EventLoopGroup loop;
    private final Channel listener;

    /** What a path answers. */
    @FunctionalInterface
    public interface Page {
        Answer answer() throws IOException;
    }

    /** Answers whatever is asked for, in the server's one thread. */
    @FunctionalInterface
    public interface Site {
        Answer answer(PageRequest request) throws IOException;

        /** Whether it takes POST, too. */
        default boolean takesPost() {
            return false;
        }
    }

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param type of the body's media
     * @param body stays the answer's: nobody writes to it
     * @param headers beside those of type, length and connection
     */
    public record Answer(int status, String type, Body body, Map<String, String> headers) {

        /** Keeps a copy of the headers. */
        public Answer {
            headers = Map.copyOf(headers);
        }

        /** A text without more headers. */
        public Answer(int status, String type, String text) {
            this(status, type, Body.of(text), Map.of());
        }

        /** Figures in Prometheus' text format. */
        public static Answer figures(String text) {
            return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", text);
        }

        /** Whether all is well, with details in JSON. */
        public static Answer health(boolean well, String json) {
            return new Answer(well ? 200 : 503, "application/json", json + "\n");
        }
    }

    /** Bytes of an answer. Immutable. */
    public static final class Body {

        private final byte[] bytes;

        private Body(byte[] bytes) {
            this.bytes = bytes;
        }

        /** A text in UTF-8. */
        public static Body of(String text) {
            return new Body(text.getBytes(StandardCharsets.UTF_8));
        }

        /** A copy of bytes. */
        public static Body of(byte[] bytes) {
            return new Body(Arrays.copyOf(bytes, bytes.length));
        }

        /** How many there are. */
        public int length() {
            return bytes.length;
        }

        /** As a text in UTF-8. */
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /**
     * Where to listen, and for whom.
     *
     * @param listen port 0 for any that is free
     * @param name of its thread, and in errors
     * @param tls who this side is and whose certificates are let in; empty to let everybody in without TLS
     * @param longest how long a connection may take
     * @param share of a core that the thread may take in the long run; what is asked beyond it is refused
     * @param remedy what to do if the address can't be had
     */
    public record Settings(
            HostPort listen, String name, Optional<TlsFiles> tls, Duration longest, double share, String remedy) {

        static Settings monitoring(HostPort listen, Duration longest, String remedy) {
            return new Settings(listen, "monitoring", Optional.empty(), longest, CpuShare.ALL, remedy);
        }
    }

    private PageServer(Settings settings, Site site) throws IOException {
        Optional<SslContext> tls =
                settings.tls().isPresent() ? Optional.of(settings.tls().get().forAgent()) : Optional.empty();
        this.loop = new NioEventLoopGroup(1, new DefaultThreadFactory(settings.name(), true));
        CpuShare share = new CpuShare(settings.share());
        ConnectionLimit limit = new ConnectionLimit(settings.longest(), share);
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, MOST_TO_ACCEPT)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(limit);
                        tls.ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(MAX_REQUEST_BYTES))
                                .addLast(new PageHandler(site));
                    }
                })
                .bind(settings.listen().address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            throw new IOException(
                    "can't listen on " + settings.listen() + " for " + settings.name() + ": "
                            + bound.cause().getMessage()
                            + ": " + settings.remedy(),
                    bound.cause());
        }
        this.listener = bound.channel();
    }

    /**
     * Starts to listen.
     *
     * @throws IOException naming the address that can't be had, or the file of TLS that can't be used
     */
    public static PageServer start(Settings settings, Site site) throws IOException {
        return new PageServer(settings, site);
    }

    /**
     * Starts to listen for who watches figures.
     *
     * @param pages by path
     * @param remedy what to do if the address can't be had
     */
    public static PageServer start(HostPort listen, Map<String, Page> pages, String remedy) throws IOException {
        return new PageServer(Settings.monitoring(listen, LONGEST_CONNECTION, remedy), byPath(pages));
    }

    /** @param longest how long a connection may take */
    static PageServer start(HostPort listen, Map<String, Page> pages, Duration longest) throws IOException {
        return new PageServer(Settings.monitoring(listen, longest, "name another address"), byPath(pages));
    }

    private static Site byPath(Map<String, Page> pages) {
        Answer nothingHere = new Answer(404, "text/plain", "try /metrics or /health\n");
        return request -> {
            Page page = pages.get(request.path());
            return page == null ? nothingHere : page.answer();
        };
    }

    /** The port, also where any free one was asked for. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
