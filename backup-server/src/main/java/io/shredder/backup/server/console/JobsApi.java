// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.RunProgress;
import io.shredder.backup.schedule.Timetable;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code /jobs} and {@code /jobs/NAME}: jobs and care, and how far what runs is. */
final class JobsApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;
    private static final double MILLIS = 1e3;

    private final ConsoleSources sources;

    JobsApi(ConsoleSources sources) {
        this.sources = sources;
    }

    ObjectNode list(Query query) {
        return Rows.page("jobs", all(), query, USUAL_ROWS, row -> row);
    }

    Optional<ObjectNode> one(String name) {
        return all().stream()
                .filter(row -> row.path("name").asText().equals(name))
                .findFirst();
    }

    private List<ObjectNode> all() {
        ServerConfig config = sources.config();
        List<JobStatus> statuses = sources.jobs().status();
        List<ObjectNode> rows = new ArrayList<>();
        for (JobConfig job : config.jobs()) {
            ObjectNode row = row(job.name(), "backup", job.timetable(), statuses);
            rows.add(row.put("images", job.sources().size()));
        }
        for (CareConfig care : config.care()) {
            rows.add(row(care.name(), CareApi.kindOf(care), care.timetable(), statuses));
        }
        return rows;
    }

    private ObjectNode row(String name, String kind, Optional<Timetable> times, List<JobStatus> statuses) {
        ObjectNode row = JSON.createObjectNode().put("name", name).put("kind", kind);
        times.ifPresent(each -> row.put("schedule", each.toString()));
        Optional<JobStatus> status =
                statuses.stream().filter(each -> each.name().equals(name)).findFirst();
        row.put("running", status.map(JobStatus::running).orElse(false));
        status.flatMap(JobStatus::waits).ifPresent(wait -> row.put("waitsFor", wait.word()));
        status.flatMap(JobStatus::stalledFor).ifPresent(time -> row.put("stalledSeconds", time.toSeconds()));
        Instant now = sources.now();
        status.flatMap(JobStatus::nextStart)
                .filter(time -> time.isAfter(now)) // Until a run has ended it is that run's.
                .map(Instant::toString)
                .ifPresent(time -> row.put("nextStart", time));
        sources.jobs().pausedUntil(name).ifPresent(time -> row.put("pausedUntil", time.toString()));
        sources.history().lastRun(name).ifPresent(line -> row.putObject("last")
                .put("at", line.path("at").asText())
                .put("result", line.path("result").asText()));
        status.flatMap(JobStatus::progress).ifPresent(progress -> row.set("progress", progress(progress)));
        return row;
    }

    private static ObjectNode progress(RunProgress progress) {
        ObjectNode json = JSON.createObjectNode().put("done", progress.done()).put("images", progress.images());
        ArrayNode underWay = json.putArray("underWay");
        progress.underWay().forEach(each -> underWay.add(backup(each)));
        return json;
    }

    /** Its rate is that since it began; it says how long it will take once there is one. */
    private static ObjectNode backup(RunProgress.Backup backup) {
        double seconds = Math.max(1, backup.elapsed().toMillis()) / MILLIS;
        long rate = Math.round(backup.readBytes() / seconds);
        ObjectNode row = JSON.createObjectNode()
                .put("image", backup.image())
                .put("readBytes", backup.readBytes())
                .put("imageBytes", backup.imageBytes())
                .put("elapsedSeconds", backup.elapsed().toSeconds())
                .put("bytesPerSecond", rate);
        if (rate > 0) {
            row.put("remainingSeconds", Math.max(0, backup.imageBytes() - backup.readBytes()) / rate);
        }
        return row;
    }
}
