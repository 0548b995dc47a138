// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Answers {@code GET /metrics} for Prometheus and {@code GET /health}: 200 while jobs are started when due and none is
 * stalled, else 503, with how each job stands.
 */
public final class DaemonPages {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DaemonPages() {}

    /**
     * Starts to answer.
     *
     * @throws IOException naming the address, if it can't be had
     */
    public static PageServer start(HostPort listen, ServerMetrics metrics, JobScheduler scheduler) throws IOException {
        return PageServer.start(
                listen,
                Map.of("/metrics", () -> figures(scheduler, metrics), "/health", () -> health(scheduler)),
                "name another address as 'monitoring' in the configuration");
    }

    private static PageServer.Answer figures(JobScheduler scheduler, ServerMetrics metrics) {
        scheduler.status().forEach(job -> {
            metrics.jobStalled(job.name(), job.stalledFor().isPresent());
            metrics.jobWaits(job.name(), job.waits());
        });
        return PageServer.Answer.figures(metrics.text());
    }

    private static PageServer.Answer health(JobScheduler scheduler) throws IOException {
        Map<String, Object> jobs = new LinkedHashMap<>();
        boolean stalled = false;
        for (JobStatus job : scheduler.status()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("running", job.running());
            job.waits().ifPresent(what -> entry.put("waitsFor", what.word()));
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
        return PageServer.Answer.health(alive && !stalled, MAPPER.writeValueAsString(root));
    }
}
