// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon as a process: schedule, hooks, limits, reload, monitoring, stop. */
class DaemonIT {

    private static final int MIB = 1 << 20;
    private static final Pattern PORT = Pattern.compile("monitoring on [^ \\n]+:([0-9]+)");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Sites sites;
    private Path config;
    private Path log;
    private Path raw;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        config = folder.resolve("server.yaml");
        log = folder.resolve("daemon.log");
        raw = folder.resolve("raw.img");
        try (RandomAccessFile file = new RandomAccessFile(raw.toFile(), "rw")) {
            byte[] data = new byte[3 * MIB];
            new Random(5).nextBytes(data);
            file.setLength(40L * MIB);
            file.seek(9L * MIB);
            file.write(data);
        }
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private void write(String jobs) throws IOException {
        Files.writeString(
                config,
                "version: 1\nstate: " + folder.resolve("state") + "\nmonitoring: 127.0.0.1:0\nconcurrency: 2\n"
                        + sites.agentSection() + jobs);
    }

    @Test
    void jobsRunNowFromTheConfigurationWithTheirHooks() throws Exception {
        Path hooks = folder.resolve("hooks");
        Path qcow2 = folder.resolve("image.qcow2");
        assertThat(new ProcessBuilder("qemu-img", "convert", "-O", "qcow2", raw.toString(), qcow2.toString())
                        .start()
                        .waitFor())
                .isZero();
        String hook = "[/bin/sh, -c, 'echo $0 $SHREDDER_IMAGE $SHREDDER_RESULT >>" + hooks + "', ";
        write("jobs:\n  now:\n    concurrency: 2\n    retry: {times: 0}\n    images:\n"
                + "      one: {file: raw.img}\n      two: {qcow2: image.qcow2, before: " + hook + "before], after: "
                + hook
                + "after]}\n      three: {file: absent, after: " + hook + "after]}\n"
                + "      four: {file: raw.img, before: [/bin/false], after: " + hook + "after]}\n");
        assertThat(sites.configured("check-config", "--config", config.toString())
                        .out())
                .contains("job now: only when a command starts it");
        Sites.Result result = sites.configured("run", "now", "--config", config.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out().lines().map(line -> line.replaceAll("@.*", "")))
                .containsExactlyInAnyOrder("snapshot one", "snapshot two");
        assertThat(result.err())
                .contains("job now, image three: image " + folder.resolve("absent") + " doesn't exist")
                .contains("job now, image four: hook /bin/false failed with exit code 1");
        assertThat(Files.readAllLines(hooks))
                .contains("before two", "after two ok", "after three failed", "after four failed")
                .hasSize(4);
        for (String name : new String[] {"one", "two"}) {
            Path restored = folder.resolve("restored");
            assertThat(sites.here("restore", name, "--to", restored.toString(), "--force")
                            .exitCode())
                    .isZero();
            assertThat(Sites.sha256(restored)).isEqualTo(Sites.sha256(raw));
        }
        Sites.Result unknown = sites.configured("run", "never", "--config", config.toString());
        assertThat(unknown.err()).contains("there is no job or care 'never'").contains("[now]");
    }

    @Test
    void whatWaitsForTheEndOfAQuietTimeIsShownAndRunsOnceThereIsNone() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(
                folder.resolve("state/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"missed\":\"2026-01-01T00:00:00Z\"}}");
        DateTimeFormatter minutes = DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
        Instant now = Instant.now();
        // One of the two times lies outside, at whatever time of the day this runs.
        String quiet = minutes.format(now.minusSeconds(7200)) + "-" + minutes.format(now.plusSeconds(7200));
        String job = "jobs:\n  missed: {schedule: '0 0,12 1 * *', time-zone: UTC, quiet: %s,"
                + " images: {vm: {file: raw.img}}}\n";
        write(job.formatted("['" + quiet + "']"));
        assertThat(sites.configured("check-config", "--config", config.toString())
                        .out())
                .contains("quiet " + quiet + " UTC, what runs then goes on");
        Process daemon = sites.startDaemon(config, log);
        try {
            int port = awaitPort(daemon);
            await(daemon, () -> metric(port, "shredder_backup_job_waiting{for=\"quiet\",job=\"missed\"} 1"));
            JsonNode health = new ObjectMapper().readTree(get(port, "/health", 200));
            assertThat(health.at("/jobs/missed/waitsFor").asText()).isEqualTo("quiet");
            assertThat(health.at("/jobs/missed/running").asBoolean()).isFalse();
            write(job.formatted("none"));
            signal(daemon, "HUP");
            await(daemon, () -> metric(port, "shredder_backup_job_runs_total{job=\"missed\",result=\"ok\"} 1"));
            await(daemon, () -> metric(port, "shredder_backup_job_waiting{for=\"quiet\",job=\"missed\"} 0"));
        } finally {
            daemon.destroyForcibly().waitFor();
        }
    }

    @Test
    void theDaemonRunsMissedJobsReloadsAndStops() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(
                folder.resolve("state/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"missed\":\"2026-01-01T00:00:00Z\",\"slow\":\"2026-01-01T00:00:00Z\"}}");
        String images = "images: {%s: {file: raw.img}}";
        write("jobs:\n  missed: {schedule: '@monthly', " + images.formatted("vm1") + "}\n"
                + "  later: {schedule: '@monthly', " + images.formatted("vm2") + "}\n");
        Process daemon = sites.startDaemon(config, log);
        try {
            int port = awaitPort(daemon);
            await(daemon, () -> metric(port, "shredder_backup_job_runs_total{job=\"missed\",result=\"ok\"} 1"));
            JsonNode health = new ObjectMapper().readTree(get(port, "/health", 200));
            assertThat(health.get("status").asText()).isEqualTo("up");
            assertThat(health.at("/jobs/missed/lastOk").asBoolean()).isTrue();
            assertThat(Instant.parse(health.at("/jobs/later/nextStart").asText()))
                    .isAfter(Instant.now());
            assertThat(health.at("/jobs/later").has("lastOk")).isFalse();
            assertThat(get(port, "/else", 404)).contains("/metrics");
            assertThat(sites.here("list").out()).contains("vm1").doesNotContain("vm2");

            write("jobs: {broken: 1}\n");
            signal(daemon, "HUP");
            await(daemon, () -> metric(port, "shredder_backup_config_ok 0"));
            int lastLine = Files.readAllLines(config).size();
            assertThat(Files.readString(log))
                    .contains(config + ":" + lastLine + ":16: 'jobs.broken' should hold keys and their values");
            assertThat(get(port, "/health", 200)).contains("missed");

            write("jobs:\n  slow: {schedule: '@monthly', bandwidth: 64k, " + images.formatted("vm3") + "}\n  other: {"
                    + images.formatted("vm4") + "}\n");
            Files.writeString(
                    raw,
                    Files.readString(raw, StandardCharsets.ISO_8859_1).replace('a', 'b'),
                    StandardCharsets.ISO_8859_1);
            signal(daemon, "HUP");
            await(daemon, () -> metric(port, "shredder_backup_config_ok 1"));
            assertThat(get(port, "/health", 200)).contains("slow").doesNotContain("missed");
            assertThat(get(port, "/metrics", 200)).doesNotContain("job=\"missed\"");
            await(daemon, () -> metric(port, "shredder_backup_job_running{job=\"slow\"} 1"));
        } finally {
            daemon.destroy();
            assertThat(daemon.waitFor(60, TimeUnit.SECONDS))
                    .as(Files.readString(log))
                    .isTrue();
        }
        assertThat(daemon.exitValue()).as(Files.readString(log)).isZero();
        assertThat(sites.here("list").out()).contains("vm1").doesNotContain("vm3");
        assertThat(Files.readString(log)).contains("job slow ended: failed");
    }

    @Test
    void whatIsWrongIsToldToAWebhookAndItsEndToo() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        HttpServer web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/", exchange -> {
            told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        web.start();
        String alerts =
                "alerts: {webhook: 'http://127.0.0.1:" + web.getAddress().getPort() + "/hook?key=secret'}\n";
        String good = alerts + "jobs:\n  by-hand: {images: {vm: {file: raw.img}}}\n";
        write(good);
        Process daemon = sites.startDaemon(config, log);
        try {
            int unused = awaitPort(daemon);
            write(alerts + "jobs: {broken: 1}\n");
            signal(daemon, "HUP");
            assertThat(told.poll(60, TimeUnit.SECONDS))
                    .contains("\"state\":\"raised\"", "\"kind\":\"configuration-refused\"", "\"site\":\"site1\"");
            write(good);
            signal(daemon, "HUP");
            assertThat(told.poll(60, TimeUnit.SECONDS)).contains("\"state\":\"recovered\"");
            assertThat(read(log)).doesNotContain("key=secret");
        } finally {
            daemon.destroy();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
            web.stop(0);
        }
    }

    /** The agent is stopped while the job runs: for less than its limit of silence, but more than the job's time. */
    @InTurn(days = 3)
    @Test
    void aJobThatHangsIsShownAsStalledAndEndsAtItsTimeLimitAndOthersGoOn() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(
                folder.resolve("state/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"hangs\":\"2026-01-01T00:00:00Z\"}}");
        String hook = "[/bin/kill, %s, '" + sites.agentPid() + "']";
        Files.writeString(
                config,
                "version: 1\nstate: " + folder.resolve("state") + "\nmonitoring: 127.0.0.1:0\nstalled-after: 1s\n"
                        + sites.agentSection().replace("agent: {", "agent: {timeout: 10m, ")
                        + "jobs:\n  hangs:\n    schedule: '@monthly'\n    time-limit: 10s\n    images:\n      vm: {file: raw.img,"
                        + " before: " + hook.formatted("-STOP") + ", after: " + hook.formatted("-CONT") + "}\n");
        Process daemon = sites.startDaemon(config, log);
        try {
            int port = awaitPort(daemon);
            await(daemon, () -> metric(port, "shredder_backup_job_stalled{job=\"hangs\"} 1"));
            JsonNode health = new ObjectMapper().readTree(get(port, "/health", 503));
            assertThat(health.get("status").asText()).isEqualTo("stalled");
            assertThat(health.at("/jobs/hangs/stalledSeconds").asInt()).isPositive();
            await(daemon, () -> metric(port, "shredder_backup_job_last_ok{job=\"hangs\"} 0"));
            assertThat(read(log))
                    .contains("image vm: the job's time limit of 10 s is over")
                    .doesNotContain("\tat ");
            assertThat(get(port, "/health", 200)).contains("\"status\":\"up\"");
            assertThat(sites.here("list").exitCode()).isZero();
        } finally {
            daemon.destroy();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        }
    }

    private int awaitPort(Process daemon) throws Exception {
        await(daemon, () -> PORT.matcher(Files.readString(log)).find());
        Matcher matcher = PORT.matcher(Files.readString(log));
        assertThat(matcher.find()).as(Files.readString(log)).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void await(Process daemon, Condition condition) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as(() -> read(log)).isLessThan(deadlineNs);
            assertThat(Sites.awaitExit(daemon, 50)).as(() -> read(log)).isFalse();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean metric(int port, String line) throws Exception {
        return get(port, "/metrics", 200).lines().anyMatch(text -> text.startsWith(line));
    }

    private static String get(int port, String path, int status) throws Exception {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(status);
        return response.body();
    }

    private static void signal(Process process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
