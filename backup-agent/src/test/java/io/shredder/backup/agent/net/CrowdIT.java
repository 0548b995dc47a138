// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent with a small heap, and clients that fill every place with requests whose answers they never take. */
@Timeout(300)
class CrowdIT {

    private static final int CROWD = 3;
    private static final int EACH = 16;

    @TempDir
    private Path folder;

    private Process launch(TlsFiles tls, String... limits) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx320m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), AgentMain.class.getName(), "serve"));
        words.addAll(List.of("--repo", folder.resolve("repo").toString(), "--listen", "127.0.0.1:0"));
        words.addAll(List.of("--port-file", folder.resolve("port").toString()));
        words.addAll(List.of(
                "--cert", tls.certificate().toString(), "--key", tls.key().toString()));
        words.addAll(List.of("--ca", tls.authority().toString()));
        words.addAll(List.of(limits));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    private Path log() {
        return folder.resolve("agent.log");
    }

    private int awaitPort(Process agent) throws Exception {
        Path file = folder.resolve("port");
        while (!Files.exists(file)) {
            assertThat(agent.isAlive()).as(() -> read(log())).isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return Integer.parseInt(Files.readString(file).strip());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    @InTurn(days = 3)
    void clientsThatTakeNoAnswersLeaveMemoryAndPlacesToOthers() throws Exception {
        TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
        Process agent = launch(certificates.agent("localhost", "127.0.0.1"), "--timeout", "20");
        List<RawClient> crowd = Collections.synchronizedList(new ArrayList<>());
        try {
            int port = awaitPort(agent);
            TlsFiles honest = certificates.client("honest");
            StoredRegion region = Samples.sealed(Samples.randomBytes(new Random(1), 4 << 20));
            try (AgentClient client = AgentClient.connect(new HostPort("127.0.0.1", port), honest)) {
                Answers.await(client.put(region));
            }
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                TlsFiles tls = certificates.client("crowd" + i);
                for (int j = 0; j < EACH; j++) {
                    int number = i * EACH + j;
                    RawClient client = new RawClient(tls, port).hello(WireFormat.MIN_VERSION);
                    crowd.add(client);
                    senders.add(new Thread(
                            () -> flood(client, number, region.first().fingerprint()), "crowd-" + number));
                }
            }
            senders.forEach(Thread::start);
            for (int round = 0; round < 20; round++) {
                try (AgentClient client = AgentClient.connect(new HostPort("127.0.0.1", port), honest)) {
                    Answers.await(client.put(Samples.sealed(Samples.randomBytes(new Random(round + 2), 1 << 20))));
                    Answers.await(client.fetch(region.first()));
                    client.sync();
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
            assertThat(agent.isAlive()).isTrue();
            assertThat(read(log())).doesNotContain("OutOfMemory").doesNotContain("\tat ");
            for (RawClient client : crowd) {
                client.close();
            }
            for (Thread sender : senders) {
                sender.join();
            }
        } finally {
            agent.destroy();
            assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(agent.exitValue()).as(() -> read(log())).isZero();
    }

    /** Until the agent, or the test, hangs up. */
    private static void flood(RawClient client, int number, Fingerprint chunk) {
        byte[] request =
                switch (number % 4) {
                    case 0 -> RawClient.bytes(1, new Request.Fetch(chunk));
                    case 1 -> RawClient.bytes(1, new Request.FetchMany(WireFormat.MAX_FETCH_BYTES, List.of(chunk)));
                    case 2 -> RawClient.bytes(1, new Request.Sync());
                    default -> RawClient.cut(new Request.Put(Samples.sealed(new byte[8 << 20])));
                };
        try {
            for (int i = 0; i < 1_000_000; i++) {
                client.send(request);
                if (number % 4 == 3) {
                    return;
                }
            }
        } catch (IOException e) {
            // It was dropped, as it should be sooner or later.
            return;
        }
    }
}
