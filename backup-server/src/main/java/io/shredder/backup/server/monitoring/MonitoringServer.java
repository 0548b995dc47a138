// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shredder.backup.protocol.HostPort;
import io.shredder.backup.server.job.JobScheduler;
import io.shredder.backup.server.job.JobStatus;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code GET /metrics} for Prometheus and {@code GET /health}: 200 while jobs are started when due, else 503, with how each job
 * stands. No authentication: keep it on a local address, or behind what has some. One thread, {@code monitoring}.
 */
public final class MonitoringServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(MonitoringServer.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int BACKLOG = 16;

    private final HttpServer server;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread made = new Thread(work, "monitoring");
        made.setDaemon(true);
        return made;
    });

    /** What an address answers. */
    private interface Page {
        Answer answer() throws IOException;
    }

    private record Answer(int status, String type, String body) {}

    private static final Answer NOTHING_HERE = new Answer(404, "text/plain", "try /metrics or /health\n");

    private MonitoringServer(HttpServer server) {
        this.server = server;
        server.setExecutor(thread);
    }

    /**
     * Starts to listen.
     *
     * @throws IOException naming the address, if it can't be had
     */
    public static MonitoringServer start(HostPort listen, ServerMetrics metrics, JobScheduler scheduler)
            throws IOException {
        HttpServer http;
        try {
            http = HttpServer.create(listen.address(), BACKLOG);
        } catch (IOException e) {
            throw new IOException(
                    "can't listen on " + listen + " for monitoring: " + e.getMessage()
                            + ": name another address as 'monitoring' in the configuration",
                    e);
        }
        MonitoringServer monitoring = new MonitoringServer(http);
        monitoring.page("/metrics", () -> new Answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text()));
        monitoring.page("/health", () -> health(scheduler));
        monitoring.page("/", () -> NOTHING_HERE);
        http.start();
        return monitoring;
    }

    /** The port, also where any free one was asked for. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void page(String path, Page page) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    send(exchange, NOTHING_HERE);
                } else if (!exchange.getRequestMethod().equals("GET")) {
                    send(exchange, new Answer(405, "text/plain", "only GET\n"));
                } else {
                    send(exchange, page.answer());
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("a request to {} failed", path, e);
            }
        });
    }

    private static Answer health(JobScheduler scheduler) throws IOException {
        Map<String, Object> jobs = new LinkedHashMap<>();
        for (JobStatus job : scheduler.status()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("running", job.running());
            job.lastEnd().map(Instant::toString).ifPresent(time -> entry.put("lastEnd", time));
            job.lastOk().ifPresent(ok -> entry.put("lastOk", ok));
            job.nextStart().map(Instant::toString).ifPresent(time -> entry.put("nextStart", time));
            jobs.put(job.name(), entry);
        }
        boolean alive = scheduler.isAlive();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("status", alive ? "up" : "down");
        root.put("jobs", jobs);
        return new Answer(alive ? 200 : 503, "application/json", MAPPER.writeValueAsString(root) + "\n");
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.sendResponseHeaders(answer.status(), body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
    }
}
