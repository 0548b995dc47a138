// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.server.job.JobScheduler;
import io.shredder.backup.server.job.JobStatus;
import io.shredder.backup.wire.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Answers {@code GET /metrics} for Prometheus and {@code GET /health}: 200 while jobs are started when due and none is
 * stalled, else 503, with how each job stands. No authentication: keep it on a local address, or behind what has some.
 * A connection has one request and ends after a time, whatever its client does; nobody waits for another. One thread,
 * {@code monitoring}.
 */
public final class MonitoringServer implements Closeable {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration LONGEST_CONNECTION = Duration.ofSeconds(10);
    private static final int MAX_REQUEST_BYTES = 16 << 10;

    private final EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("monitoring", true));
    private final Channel listener;

    /** What an address answers. */
    interface Page {
        Answer answer() throws IOException;
    }

    record Answer(int status, String type, String body) {}

    private MonitoringServer(HostPort listen, Map<String, Page> pages, Duration longest) throws IOException {
        ConnectionLimit limit = new ConnectionLimit(longest);
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(limit)
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(MAX_REQUEST_BYTES))
                                .addLast(new PageHandler(pages));
                    }
                })
                .bind(listen.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            throw new IOException(
                    "can't listen on " + listen + " for monitoring: "
                            + bound.cause().getMessage()
                            + ": name another address as 'monitoring' in the configuration",
                    bound.cause());
        }
        this.listener = bound.channel();
    }

    /**
     * Starts to listen.
     *
     * @throws IOException naming the address, if it can't be had
     */
    public static MonitoringServer start(HostPort listen, ServerMetrics metrics, JobScheduler scheduler)
            throws IOException {
        return start(
                listen,
                Map.of("/metrics", () -> figures(scheduler, metrics), "/health", () -> health(scheduler)),
                LONGEST_CONNECTION);
    }

    /**
     * Answers other pages.
     *
     * @param longest how long a connection may take
     */
    static MonitoringServer start(HostPort listen, Map<String, Page> pages, Duration longest) throws IOException {
        return new MonitoringServer(listen, pages, longest);
    }

    /** The port, also where any free one was asked for. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private static Answer figures(JobScheduler scheduler, ServerMetrics metrics) {
        scheduler
                .status()
                .forEach(job -> metrics.jobStalled(job.name(), job.stalledFor().isPresent()));
        return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text());
    }

    private static Answer health(JobScheduler scheduler) throws IOException {
        Map<String, Object> jobs = new LinkedHashMap<>();
        boolean stalled = false;
        for (JobStatus job : scheduler.status()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("running", job.running());
            job.stalledFor().ifPresent(time -> entry.put("stalledSeconds", time.toSeconds()));
            stalled |= job.stalledFor().isPresent();
            job.lastEnd().map(Instant::toString).ifPresent(time -> entry.put("lastEnd", time));
            job.lastOk().ifPresent(ok -> entry.put("lastOk", ok));
            job.nextStart().map(Instant::toString).ifPresent(time -> entry.put("nextStart", time));
            jobs.put(job.name(), entry);
        }
        boolean alive = scheduler.isAlive();
        Map<String, Object> root = new LinkedHashMap<>();
        String running = stalled ? "stalled" : "up";
        root.put("status", alive ? running : "down");
        root.put("jobs", jobs);
        return new Answer(alive && !stalled ? 200 : 503, "application/json", MAPPER.writeValueAsString(root) + "\n");
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
