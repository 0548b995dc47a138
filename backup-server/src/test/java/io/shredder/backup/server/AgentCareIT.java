// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent's process that gives space back and reads what it keeps by itself, at times that it missed. */
class AgentCareIT {

    private static final Pattern PORT = Pattern.compile("monitoring on 127\\.0\\.0\\.1:([0-9]+)");
    private static final String LONG_AGO = "{\"version\":1,\"seed\":1,\"handled\":{\"gc\":\"2026-01-01T00:00:00Z\","
            + "\"verify\":\"2026-01-01T00:00:00Z\"}}";

    @TempDir
    private Path folder;

    private Sites sites;
    private Path care;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        care = folder.resolve("care.yaml");
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                "clients: {site1: {rights: [append, restore]}, site1-admin: {namespace: site1, rights: [prune]}}\n");
        sites.serveWith("--monitoring", "127.0.0.1:0", "--rights", rights.toString(), "--care", care.toString());
        Files.writeString(care, "version: 1\ngc: {schedule: '@monthly'}\n");
        sites.startAgent();
        sites.stayAtPort();
        for (int i = 1; i <= 2; i++) {
            Path image = folder.resolve("vm.img");
            Sites.random(image, new Random(i), 3 << 20);
            Sites.Result made = sites.here("backup", image.toString(), "--name", "vm");
            assertThat(made.exitCode()).as(made.err()).isZero();
        }
        assertThat(sites.as("site1-admin", "prune", "--id", "1").exitCode()).isZero();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    /** As after a machine that was switched off when it was time. */
    private void startLate(String text) throws IOException {
        sites.stopAgent();
        Files.writeString(care, text);
        Files.createDirectories(sites.repository().resolve("care"));
        Files.writeString(sites.repository().resolve("care/history.json"), LONG_AGO);
        sites.startAgent();
    }

    private String metrics() throws IOException, InterruptedException {
        Matcher port = PORT.matcher(Files.readString(sites.agentLog()));
        String last = "";
        while (port.find()) {
            last = port.group(1);
        }
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + last + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private String await(String figure) throws IOException, InterruptedException {
        String all = "";
        for (long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); System.nanoTime() < untilNs; ) {
            try {
                all = metrics();
            } catch (ConnectException e) {
                all = "it has not said yet where it answers";
            }
            if (all.contains(figure)) {
                return all;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError(figure + " does not come: "
                + all.lines()
                        .filter(line -> line.startsWith("shredder_agent_care"))
                        .toList() + Files.readString(sites.agentLog()));
    }

    private static double value(String metrics, String figure) {
        return metrics.lines()
                .filter(line -> line.startsWith(figure + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(figure.length() + 1)))
                .findFirst()
                .orElse(-1);
    }

    @Test
    void spaceComesBackAndAllIsReadWithoutAClient() throws Exception {
        startLate("version: 1\ngc: {schedule: '@monthly'}\nverify: {schedule: '@monthly', all-in: 30d}\n");
        await("shredder_agent_care_last_ok{care=\"gc\"} 1");
        String all = await("shredder_agent_care_last_ok{care=\"verify\"} 1");
        assertThat(value(all, "shredder_agent_care_freed_bytes{care=\"gc\"}")).isGreaterThan(2.5e6);
        assertThat(value(all, "shredder_agent_care_verified_bytes{care=\"verify\"}"))
                .isPositive();
        assertThat(value(all, "shredder_agent_care_problems{care=\"verify\"}")).isZero();
        assertThat(sites.here("verify").exitCode()).isZero();
        Path hurt;
        try (Stream<Path> files = Files.walk(sites.repository().resolve("containers"))) {
            hurt = files.filter(Files::isRegularFile).max(Path::compareTo).orElseThrow();
        }
        try (RandomAccessFile file = new RandomAccessFile(hurt.toFile(), "rw")) {
            byte[] record = new byte[(int) file.length()];
            file.readFully(record);
            int at = record.length - 1;
            while (record[at] == 0) {
                at--;
            }
            file.seek(at - 100);
            file.write(record[at - 100] ^ 1);
        }
        Files.delete(sites.repository().resolve("care/care.json"));
        startLate("version: 1\nverify: {schedule: '@monthly', all-in: 1d}\n");
        assertThat(value(
                        await("shredder_agent_care_last_ok{care=\"verify\"} 0"),
                        "shredder_agent_care_problems{care=\"verify\"}"))
                .isPositive();
        assertThat(Files.readString(sites.agentLog()))
                .contains("care verify: ")
                .contains(hurt.getFileName().toString());
    }

    @Test
    void inQuietTimesNothingBeginsAndThatIsShown() throws Exception {
        DateTimeFormatter minutes = DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
        Instant now = Instant.now();
        // One of the two times lies outside, at whatever time of the day this runs.
        startLate("version: 1\ntime-zone: UTC\nquiet: ['" + minutes.format(now.minusSeconds(7200)) + "-"
                + minutes.format(now.plusSeconds(7200)) + "']\ngc: {schedule: '0 0,12 1 * *'}\n");
        assertThat(await("shredder_agent_care_waiting{care=\"gc\"} 1"))
                .doesNotContain("shredder_agent_care_running{care=\"gc\"}")
                .doesNotContain("shredder_agent_care_last_ok");
        startLate("version: 1\ngc: {schedule: '@monthly'}\n");
        await("shredder_agent_care_last_ok{care=\"gc\"} 1");
    }

    @Test
    void aFileThatIsWrongKeepsTheAgentFromServing() throws IOException {
        sites.stopAgent();
        Files.writeString(care, "version: 1\ngc: {schedule: 'daily', quiet: [Mon-Sun]}\n");
        assertThatThrownBy(() -> sites.startAgent())
                .hasMessageContaining(care + ":2:16: 'gc.schedule': 'daily' is not a schedule")
                .hasMessageContaining(care + ":2:32:");
    }

    @Test
    void aDamagedMemoryOfRunsKeepsNoAgentFromServing() throws Exception {
        sites.stopAgent();
        Files.createDirectories(sites.repository().resolve("care"));
        Files.writeString(sites.repository().resolve("care/history.json"), "{");
        sites.startAgent();
        assertThat(Files.readString(sites.agentLog()))
                .contains("history.json is damaged")
                .contains("begun anew");
    }
}
