// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules and the dashboard in {@code packaging}, in a real Prometheus that asks a real daemon and agent. */
class PrometheusIT {

    private static final Path PACKAGING =
            Path.of("../packaging").toAbsolutePath().normalize();
    private static final Path RULES = PACKAGING.resolve("prometheus/shredder.rules.yaml");
    private static final Path DASHBOARD = PACKAGING.resolve("grafana/shredder.json");
    private static final Pattern MONITORING = Pattern.compile("monitoring on 127\\.0\\.0\\.1:([0-9]+)");

    /** Of a store over keepers alone, or of what has not happened here. */
    private static final Set<String> ELSEWHERE = Set.of(
            "shredder_agent_care_last_ok",
            "shredder_agent_keeper_state",
            "shredder_agent_store_writable",
            "shredder_agent_store_readable",
            "shredder_backup_job_missed_total",
            "shredder_backup_tracked_backups_total");

    @TempDir
    private Path folder;

    private final ObjectMapper mapper = new ObjectMapper();
    private Sites sites;
    private final List<Process> others = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        for (String program : List.of("prometheus", "promtool")) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin", program)),
                    program + " is not there: tools/packages.sh care");
        }
        sites = new Sites(folder);
        sites.serveWith("--monitoring", "127.0.0.1:0");
        sites.startAgent();
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : others) {
            process.destroyForcibly().waitFor();
        }
        if (sites != null) {
            sites.close();
        }
    }

    @Test
    void eachAlertIsRaisedAndRecovers() throws Exception {
        assertThat(TestProgram.run("promtool", "check", "rules", RULES.toString()))
                .contains("SUCCESS");
        assertThat(TestProgram.run(
                        "promtool",
                        "test",
                        "rules",
                        RULES.resolveSibling("shredder.test.yaml").toString()))
                .contains("SUCCESS");
    }

    @Test
    void whatRulesAndDashboardAskForIsThereAndAFailedJobIsAnAlert() throws Exception {
        Path log = folder.resolve("daemon.log");
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(
                folder.resolve("state/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"good\":\"2026-01-01T00:00:00Z\","
                        + "\"bad\":\"2026-01-01T00:00:00Z\",\"proof\":\"2026-01-01T00:00:00Z\"}}");
        Sites.random(folder.resolve("vm.img"), new Random(1), 3 << 20);
        Path config = folder.resolve("daemon.yaml");
        Files.writeString(
                config,
                "version: 1\nstate: " + folder.resolve("state") + "\nmonitoring: 127.0.0.1:0\n" + sites.agentSection()
                        + "jobs:\n  good: {schedule: '@monthly', images: {vm: {file: vm.img}}}\n"
                        + "  bad: {schedule: '@monthly', retry: {times: 0}, images: {gone: {file: gone.img}}}\n"
                        + "care: {proof: {schedule: '@monthly', verify: {all-in: 30d}}}\n");
        others.add(sites.startDaemon(config, log));
        TrialRun.await("the daemon", 60_000, () -> port(log).isPresent());
        Asked prometheus =
                startPrometheus(port(log).orElseThrow(), port(sites.agentLog()).orElseThrow());
        TrialRun.await("both to be asked", 60_000, () -> prometheus.count("up == 1") == 2);
        TrialRun.await(
                "an alert",
                90_000,
                () -> prometheus.has("ALERTS{alertname=\"ShredderBackupFailed\",job_name=\"bad\"}"));
        TrialRun.await("care", 60_000, () -> prometheus.has("shredder_backup_care_problems{kind=\"verify\"}"));
        assertThat(prometheus.has("ALERTS{alertname=\"ShredderBackupFailed\",job_name=\"good\"}"))
                .isFalse();
        Set<String> missing = new TreeSet<>();
        for (String expression : expressions()) {
            prometheus.count(expression); // Is understood, whether it finds something or not.
            Matcher name = Pattern.compile("shredder_[a-z_]+").matcher(expression);
            while (name.find()) {
                if (!ELSEWHERE.contains(name.group()) && !prometheus.has(name.group())) {
                    missing.add(name.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static OptionalInt port(Path log) throws IOException {
        Matcher matcher = MONITORING.matcher(Files.readString(log));
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    /** As packaging/prometheus/prometheus.yaml has it, with ports of this run and a second for a minute. */
    private Asked startPrometheus(int daemon, int agent) throws Exception {
        Path config = folder.resolve("prometheus.yaml");
        Files.copy(RULES, folder.resolve(RULES.getFileName()));
        Files.writeString(
                config,
                "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
                        + Files.readString(RULES.resolveSibling("prometheus.yaml"))
                                .replace("127.0.0.1:7421", "127.0.0.1:" + daemon)
                                .replace("127.0.0.1:7424", "127.0.0.1:" + agent));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path log = folder.resolve("prometheus.log");
        others.add(new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
        TrialRun.await("Prometheus", 60_000, () -> Files.readString(log).contains("Server is ready"));
        return new Asked("http://127.0.0.1:" + port + "/api/v1/query?query=");
    }

    private List<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (JsonNode expression : mapper.readTree(DASHBOARD.toFile()).findValues("expr")) {
            expressions.add(expression.asText());
        }
        assertThat(expressions).hasSizeGreaterThan(10);
        Files.readAllLines(RULES).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("expr: "))
                .map(line -> line.substring("expr: ".length()))
                .forEach(expressions::add);
        return expressions;
    }

    /** Where a Prometheus answers. */
    private final class Asked {
        private final String query;

        Asked(String query) {
            this.query = query;
        }

        boolean has(String expression) throws IOException, InterruptedException {
            return count(expression) > 0;
        }

        int count(String expression) throws IOException, InterruptedException {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create(query + URLEncoder.encode(expression, StandardCharsets.UTF_8)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode())
                    .as(expression + ": " + answer.body())
                    .isEqualTo(200);
            return mapper.readTree(answer.body()).at("/data/result").size();
        }
    }
}
