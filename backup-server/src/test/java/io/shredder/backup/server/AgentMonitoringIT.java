// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent shows to those who look after it. */
class AgentMonitoringIT {

    private static final Pattern PORT = Pattern.compile("monitoring on 127\\.0\\.0\\.1:([0-9]+)");

    @TempDir
    private Path folder;

    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.serveWith("--monitoring", "127.0.0.1:0");
        sites.startAgent();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        Matcher port = PORT.matcher(Files.readString(sites.agentLog()));
        String last = "";
        while (port.find()) {
            last = port.group(1);
        }
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + last + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private double figure(String name) throws Exception {
        Thread.sleep(1100); // They are counted once a second.
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(-1);
    }

    @Test
    void figuresSayWhatIsKeptForWhomAndHowOldItIs() throws Exception {
        assertThat(figure("shredder_agent_chunks")).isZero();
        Path image = folder.resolve("vm.img");
        Sites.random(image, new Random(1), 3 << 20);
        Instant before = Instant.now();
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
        assertThat(figure("shredder_agent_client_snapshots{client=\"site1\"}")).isEqualTo(1);
        assertThat(figure("shredder_agent_client_images_bytes{client=\"site1\"}"))
                .isEqualTo(3 << 20);
        assertThat(figure("shredder_agent_client_last_snapshot_timestamp_seconds{client=\"site1\"}"))
                .isBetween(before.getEpochSecond() - 1.0, Instant.now().getEpochSecond() + 1.0);
        assertThat(figure("shredder_agent_chunks")).isPositive();
        assertThat(figure("shredder_agent_containers_bytes")).isGreaterThan(3 << 20);
        assertThat(figure("shredder_agent_usable_bytes")).isPositive();
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body()).contains("\"status\":\"up\"");
        assertThat(get("/else").statusCode()).isEqualTo(404);
        assertThat(get("/metrics").body()).doesNotContain("\"vm\"");
    }

    @InTurn(days = 3)
    @Test
    void damageThatVerificationFoundIsCounted() throws Exception {
        Path image = folder.resolve("vm.img");
        Sites.random(image, new Random(1), 3 << 20);
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
        sites.stopAgent();
        Path container = sites.repository().resolve("containers/00000/00000001.container");
        try (RandomAccessFile file = new RandomAccessFile(container.toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write(new byte[4]);
        }
        sites.startAgent();
        assertThat(figure("shredder_agent_damaged_chunks")).isZero();
        assertThat(sites.here("verify").exitCode()).isEqualTo(1);
        assertThat(figure("shredder_agent_damaged_chunks")).isPositive();
    }
}
