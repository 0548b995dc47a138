// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Running machines among the jobs of the daemon's own process, with real QEMUs. */
class MachineDaemonIT {

    private static final int MIB = 1 << 20;
    private static final Pattern PORT = Pattern.compile("monitoring on [^ \\n]+:([0-9]+)");
    private static final String ROOT = "root.qcow2";
    private static final String DATA = "data.raw";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Random random = new Random(11);
    private final BlockingQueue<String> alerts = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;

    private Sites sites;
    private RunningQemu one;
    private RunningQemu two;
    private HttpServer web;
    private Path config;
    private Path log;
    private Path scratch;

    @BeforeEach
    void start() throws Exception {
        for (String program : List.of("qemu-system-x86_64", "qemu-img")) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin", program)),
                    program + " is not there: tools/packages.sh open");
        }
        sites = new Sites(folder);
        sites.startAgent();
        config = folder.resolve("server.yaml");
        log = folder.resolve("daemon.log");
        scratch = Files.createDirectory(folder.resolve("scratch"));
        one = new RunningQemu(Files.createDirectory(folder.resolve("one")))
                .disk(ROOT, 16 * MIB, random)
                .disk(DATA, 8 * MIB, random);
        two = new RunningQemu(Files.createDirectory(folder.resolve("two"))).disk(ROOT, 8 * MIB, random);
        one.start();
        two.start();
        Sites.random(folder.resolve("plain.img"), random, 3 * MIB);
        web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/", this::takeAlert);
        web.start();
    }

    private void takeAlert(HttpExchange exchange) throws IOException {
        alerts.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    @AfterEach
    void stop() throws IOException {
        for (RunningQemu qemu : Arrays.asList(one, two)) {
            if (qemu != null) {
                qemu.close();
            }
        }
        if (web != null) {
            web.stop(0);
        }
        if (sites != null) {
            sites.close();
        }
    }

    private void write(String job) throws IOException {
        Files.writeString(
                config,
                "version: 1\nstate: state\nmonitoring: 127.0.0.1:0\nconcurrency: 3\nalerts: {webhook: 'http://127.0.0.1:"
                        + web.getAddress().getPort() + "/'}\n" + sites.agentSection()
                        + "jobs:\n  nightly:\n    schedule: '@monthly'\n    retry: {times: 0}\n" + job);
    }

    /** @param more keys of the machine */
    private String machine(String name, RunningQemu qemu, String more) {
        return "      " + name + ": {qmp: " + qemu.qmp() + ", scratch: " + scratch + more + "}\n";
    }

    private String hook(String when) {
        return ", " + when + ": [/bin/sh, -c, 'echo $0 $SHREDDER_IMAGE $SHREDDER_RESULT $SHREDDER_SNAPSHOT >>"
                + folder.resolve("hooks") + "', " + when + "]";
    }

    /** A daemon that has missed a run, which it makes up for at once. */
    private Process daemon() throws IOException {
        Files.createDirectories(folder.resolve("state"));
        Files.deleteIfExists(log);
        Files.writeString(
                folder.resolve("state/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"nightly\":\"2026-01-01T00:00:00Z\"}}");
        return sites.startDaemon(config, log);
    }

    private Map<String, String> figures(Process daemon) throws Exception {
        Map<String, String> found = new TreeMap<>();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(daemon) + "/metrics"))
                .build();
        String text;
        try {
            text = CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new IOException(request + ": " + Files.readString(log), e);
        }
        for (String line : text.split("\n")) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                found.put(
                        line.substring("shredder_backup_".length() * (line.startsWith("shredder") ? 1 : 0), space),
                        line.substring(space + 1));
            }
        }
        return found;
    }

    private String port(Process daemon) throws Exception {
        TrialRun.await(
                "the daemon", 60_000, () -> PORT.matcher(Files.readString(log)).find() || !daemon.isAlive());
        Matcher port = PORT.matcher(Files.readString(log));
        assertThat(port.find()).as(Files.readString(log)).isTrue();
        return port.group(1);
    }

    private Map<String, String> awaitRun(Process daemon, String result) throws Exception {
        port(daemon);
        String runs = "job_runs_total{job=\"nightly\",result=\"" + result + "\"}";
        for (int i = 0; i < 600; i++) {
            assertThat(daemon.isAlive()).as(Files.readString(log)).isTrue();
            Map<String, String> figures = figures(daemon);
            if (figures.containsKey(runs)) {
                return figures;
            }
            Thread.sleep(100);
        }
        throw new IOException("the job doesn't end: " + Files.readString(log));
    }

    private static void end(Process daemon) throws IOException {
        daemon.destroy();
        assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        assertThat(daemon.exitValue()).isZero();
    }

    /** The next alerts, by kind and subject: what each says. */
    private Map<String, String> alerts(int count) throws Exception {
        Map<String, String> told = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String text = alerts.poll(30, TimeUnit.SECONDS);
            assertThat(text).as("an alert beside " + told).isNotNull();
            JsonNode alert = new ObjectMapper().readTree(text);
            told.put(
                    alert.path("kind").asText() + " " + alert.path("subject").asText(),
                    alert.path("what").asText());
        }
        return told;
    }

    private void assertRestores(String series, byte[] content) throws IOException {
        Path restored = folder.resolve("restored");
        Files.deleteIfExists(restored);
        Sites.Result result = sites.here("restore", series, "--to", restored.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Arrays.mismatch(Files.readAllBytes(restored), content))
                .as(series)
                .isEqualTo(-1);
    }

    /** Nothing of a backup is left, but for one bitmap of each disk. */
    private void assertTidy(RunningQemu qemu, int bitmaps) throws IOException {
        assertThat(qemu.bitmaps(ROOT)).hasSize(bitmaps).allMatch(name -> name.startsWith("shredder-c"));
        assertThat(qemu.ask("query-block-jobs", Map.of())).isEmpty();
        assertThat(qemu.ask("query-block-exports", Map.of())).isEmpty();
        assertThat(qemu.ask("query-named-block-nodes", Map.of("flat", true)).toString())
                .doesNotContain("\"node-name\":\"shredder-");
        try (var files = Files.list(scratch)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void machinesAndImagesShareAJobAndOneThatIsGoneKeepsNobodyFromIt() throws Exception {
        write("    concurrency: 3\n    images: {plain: {file: plain.img}}\n    machines:\n"
                + machine(
                        "vm1",
                        one,
                        ", except: [" + DATA + "], read-bandwidth: 200m, whole-every: 1s" + hook("before")
                                + hook("after"))
                + machine("vm2", two, ""));
        Process daemon = daemon();
        Map<String, String> figures = awaitRun(daemon, "ok");
        String image = "image=\"vm1." + ROOT + "\",job=\"nightly\"";
        assertThat(figures)
                .containsEntry("tracked_backups_total{" + image + ",read=\"first\"}", "1.0")
                .containsEntry("image_size_bytes{" + image + "}", String.valueOf(16.0 * MIB))
                .containsKey("tracked_disk_whole_timestamp_seconds{" + image + "}")
                .containsKey("image_last_success_timestamp_seconds{image=\"plain\",job=\"nightly\"}")
                .containsKey("image_last_success_timestamp_seconds{image=\"vm2." + ROOT + "\",job=\"nightly\"}")
                .containsKey("machine_last_success_timestamp_seconds{job=\"nightly\",machine=\"vm1\"}");
        assertThat(figures.keySet()).noneMatch(key -> key.contains(DATA));
        end(daemon);
        assertThat(Files.readAllLines(folder.resolve("hooks")))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("before vm1");
        assertThat(Files.readString(folder.resolve("hooks"))).contains("after vm1 ok vm1." + ROOT + "@");
        assertRestores("vm1." + ROOT, one.content(ROOT));
        assertRestores("vm2." + ROOT, two.content(ROOT));
        assertTidy(one, 1);

        two.kill();
        one.write(ROOT, 4 * MIB, 8192, 7);
        one.ask(
                "block-dirty-bitmap-clear",
                Map.of("node", one.node(ROOT), "name", one.bitmaps(ROOT).get(0)));
        Process again = daemon();
        figures = awaitRun(again, "failed");
        assertThat(figures)
                .containsEntry("tracked_backups_total{" + image + ",read=\"lied\"}", "1.0")
                .containsEntry("tracked_disk_changed_bytes{" + image + "}", "0.0")
                .containsKey("image_last_success_timestamp_seconds{image=\"plain\",job=\"nightly\"}")
                .doesNotContainKey("machine_last_success_timestamp_seconds{job=\"nightly\",machine=\"vm2\"}");
        Map<String, String> told = alerts(2);
        assertThat(told).containsOnlyKeys("changes-untrue nightly/vm1." + ROOT, "image-failed nightly/vm2");
        assertThat(told.get("changes-untrue nightly/vm1." + ROOT)).contains("at least 8192 bytes");
        assertThat(told.get("image-failed nightly/vm2")).contains("can't reach QMP socket");
        assertThat(alerts).isEmpty();
        end(again);
        assertRestores("vm1." + ROOT, one.content(ROOT));
        two.start();
        Sites.Result third = run();
        assertThat(third.exitCode()).as(third.err()).isZero();
        assertTidy(one, 1);
        assertTidy(two, 1);
    }

    private Sites.Result run() throws IOException {
        return sites.configured("run", "nightly", "--json", "--config", config.toString());
    }

    @Test
    void aStopOrAKillLeavesNothingInTheMachine() throws Exception {
        String fast = "    machines:\n" + machine("vm", one, hook("after"));
        write(fast);
        assertThat(run().exitCode()).isZero();
        one.writeSome(ROOT, 20, random);
        String slow = "    machines:\n" + machine("vm", one, ", read-bandwidth: 64k" + hook("after"));
        write(slow);
        Process stopped = daemon();
        awaitExports(stopped);
        end(stopped);
        assertThat(Files.readAllLines(folder.resolve("hooks")))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("after vm failed");
        assertThat(one.bitmaps(ROOT)).hasSizeBetween(1, 2);
        assertTidy(one, one.bitmaps(ROOT).size());

        Process killed = daemon();
        awaitExports(killed);
        killed.destroyForcibly();
        assertThat(Sites.awaitExit(killed, 30_000)).isTrue();
        write(fast);
        Sites.Result after = run();
        assertThat(after.exitCode()).as(after.err()).isZero();
        assertThat(after.out()).contains("\"readReason\":\"tracked\"").doesNotContain("readWholly");
        assertTidy(one, 1);
        assertRestores("vm." + ROOT, one.content(ROOT));
        assertRestores("vm." + DATA, one.content(DATA));
    }

    private void awaitExports(Process daemon) throws Exception {
        port(daemon);
        TrialRun.await(
                "a held disk",
                60_000,
                () -> !one.ask("query-block-exports", Map.of()).isEmpty() || !daemon.isAlive());
        assertThat(daemon.isAlive()).as(Files.readString(log)).isTrue();
    }

    @Test
    void whatCannotBeDoneIsSaidOfThatMachineAlone() throws Exception {
        write("    images: {plain: {file: plain.img}}\n    machines:\n"
                + machine("a", one, ", disks: [vdz]")
                + machine("b", one, ", except: [" + ROOT + ", " + DATA + "]")
                + machine("c", one, ", before: [/bin/false]" + hook("after"))
                + machine("d", one, ", freeze: required, guest-agent: " + folder.resolve("ga"))
                + "      e: {libvirt: nobody, uri: 'test:///default'}\n"
                + machine("f", one, ""));
        one.hmp("stop");
        Sites.Result result = run();
        assertThat(result.exitCode()).isOne();
        assertThat(result.err())
                .contains("machine a: qmp:" + one.qmp() + " has no disk vdz: it has " + DATA + ", " + ROOT)
                .contains("machine b: qmp:" + one.qmp() + " has no disk to back up")
                .contains("machine c: hook /bin/false failed with exit code 1")
                .contains("machine d: the guest's file systems were not frozen, which is required")
                .contains("machine e: ");
        assertThat(result.out())
                .contains("\"image\":\"plain\",\"ok\":true")
                .contains("\"image\":\"f." + ROOT + "\",\"ok\":true", "\"machine\":\"f\",\"ok\":true");
        assertThat(Files.readString(folder.resolve("hooks"))).isEqualTo("after c failed\n");
        assertTidy(one, 1);
    }

    @Test
    void twoJobsThatNameOneMachineDoNotHoldItAtOnce() throws Exception {
        write("    concurrency: 2\n    machines:\n" + machine("g", one, ", read-bandwidth: 2m")
                + machine("h", one, ", read-bandwidth: 2m"));
        Sites.Result result = run();
        assertThat(result.exitCode()).isOne();
        assertThat(result.err()).containsPattern("machine [gh]: QMP socket .* doesn't answer: .*end that");
        assertThat(result.out().lines().filter(line -> line.contains("\"machine\":") && line.contains("\"ok\":true")))
                .hasSize(1);
        assertTidy(one, 1);
        write("    concurrency: 1\n    machines:\n" + machine("g", one, "") + machine("h", one, ""));
        assertThat(run().exitCode()).isZero();
        assertTidy(one, 2);
    }
}
