// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shredder-backup nbd} as a process, and clients of others: what they read is what was backed up. */
class NbdClientsIT {

    private static final long SEED = new Random().nextInt(1_000_000);

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;
    private Path certs;

    @BeforeEach
    void backUp() throws IOException {
        System.out.println("seed " + SEED);
        sites = new Sites(folder);
        sites.startAgent();
        certs = folder.resolve("certs");
        image = OpenedImage.write(folder.resolve("image"), new Random(SEED));
        Sites.Result result = sites.here("backup", image.toString(), "--name", "vm");
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private static void needs(String program) {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not there: tools/packages.sh open");
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    private Process serve(String... options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("nbd", "vm"));
        words.addAll(List.of(options));
        Process process = sites.startServer(words.toArray(String[]::new));
        TrialRun.await("the export", 60_000, () -> log().contains("try: ") || !process.isAlive());
        assertThat(process.isAlive()).as(log()).isTrue();
        return process;
    }

    private String run(String... words) throws IOException {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(Sites.awaitExit(process, 60_000)).isTrue();
        String text = Files.readString(said, java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    @Test
    void qemuAndLibnbdReadTheImageAndSeeItsHoles() throws Exception {
        needs("nbdcopy");
        needs("qemu-img");
        Path socket = folder.resolve("nbd.sock");
        Process process = serve("--socket", socket.toString());
        String uri = "nbd+unix:///vm@1?socket=" + socket;
        assertThat(log()).contains("nbdinfo '" + uri + "'");
        assertThat(run("nbdinfo", "--json", uri)).contains("\"is_read_only\": true", "\"can_multi_conn\": true");
        assertThat(run("nbdinfo", "--map", uri)).contains("hole,zero", "data");
        Path copied = folder.resolve("copied");
        run("nbdcopy", uri, copied.toString());
        assertThat(Files.mismatch(copied, image)).isNegative();
        Path converted = folder.resolve("converted");
        run("qemu-img", "convert", "-f", "raw", "-O", "qcow2", uri, converted.toString());
        assertThat(run("qemu-img", "compare", "-f", "raw", image.toString(), "-F", "qcow2", converted.toString()))
                .contains("identical");
        process.destroy();
        assertThat(Sites.awaitExit(process, 30_000)).isTrue();
        assertThat(socket).doesNotExist();
        assertThat(log()).contains("served ", "parts were in the cache");
    }

    @Test
    void overTheNetworkNobodyWithoutACertificateSeesAnything() throws Exception {
        needs("nbdinfo");
        Path client = Files.createDirectory(folder.resolve("pki"));
        Files.copy(certs.resolve("ca.crt"), client.resolve("ca-cert.pem"));
        Files.copy(certs.resolve("client-site1.crt"), client.resolve("client-cert.pem"));
        Files.copy(certs.resolve("client-site1.key"), client.resolve("client-key.pem"));
        Process process = serve(
                "--listen",
                "localhost:0",
                "--tls-cert",
                certs.resolve("agent.crt").toString(),
                "--tls-key",
                certs.resolve("agent.key").toString(),
                "--tls-ca",
                certs.resolve("ca.crt").toString());
        String uri = log().lines()
                .filter(line -> line.startsWith("nbds://"))
                .findFirst()
                .orElseThrow();
        Path copied = folder.resolve("copied");
        run("nbdcopy", uri + "?tls-certificates=" + client, copied.toString());
        assertThat(Files.mismatch(copied, image)).isNegative();
        Process plain = new ProcessBuilder("nbdinfo", uri.replace("nbds:", "nbd:"))
                .redirectErrorStream(true)
                .start();
        String said = new String(plain.getInputStream().readAllBytes());
        assertThat(plain.waitFor()).isNotZero();
        assertThat(said).contains("TLS");
        process.destroy();
        assertThat(Sites.awaitExit(process, 30_000)).isTrue();
    }

    @Test
    void withoutTlsItListensAtALoopbackAddressAlone() throws IOException {
        assertThat(sites.here("nbd", "vm", "--listen", "0.0.0.0:0", "--no-tls").err())
                .contains("would show the image to whoever connects");
        assertThat(sites.here("nbd", "vm", "--listen", "127.0.0.1:0").err()).contains("--listen needs --tls-cert");
        assertThat(sites.here("nbd", "vm", "--no-tls").exitCode()).isEqualTo(2);
        assertThat(sites.here("nbd", "vm", "--threads", "0").exitCode()).isEqualTo(2);
        assertThat(sites.here("nbd", "vm", "--cache", "1m").err()).contains("a cache of 1048576 bytes");
        assertThat(sites.here("nbd", "none").err()).contains("there is no snapshot of 'none'");
    }

    @Test
    void aRepositorysFolderIsServedWithoutAnAgentAndOnceMeansOnce() throws Exception {
        sites.stopAgent();
        Path socket = folder.resolve("nbd.sock");
        Thread client = new Thread(() -> {
            try {
                TrialRun.await("the socket", 60_000, () -> Files.exists(socket));
                try (NbdTester tester = new NbdTester(socket).go()) {
                    tester.request(4, 0, 1, 0, 4096);
                    tester.part();
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        client.start();
        Sites.Result served = sites.withoutAgent("nbd", "vm", "--once", "--socket", socket.toString());
        client.join();
        assertThat(served.exitCode()).as(served.err()).isZero();
        assertThat(served.out()).contains("served ");
        assertThat(socket).doesNotExist();
    }
}
