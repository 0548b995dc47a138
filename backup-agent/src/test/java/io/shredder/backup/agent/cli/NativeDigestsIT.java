// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent's process with the native digests and one without, on one repository. */
@Timeout(120)
class NativeDigestsIT {

    private static final String ONE_BY_ONE = "regions are digested one by one";

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private TlsFiles agentTls;
    private TlsFiles site;

    @BeforeEach
    void certify() throws IOException {
        TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
        agentTls = certificates.agent("localhost", "127.0.0.1");
        site = certificates.client("site1");
    }

    /** Asks an agent. */
    private interface Asking<T> {
        T of(AgentClient client) throws IOException;
    }

    private Path log() {
        return folder.resolve("agent.log");
    }

    /** Starts an agent, asks it, and stops it. */
    private <T> T ask(boolean isNative, Asking<T> asking) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        if (!isNative) {
            words.add("-Dshredder.library.path=" + folder.resolve("none.so"));
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), AgentMain.class.getName(), "serve"));
        words.addAll(List.of("--repo", folder.resolve("repo").toString(), "--listen", "127.0.0.1:0"));
        words.addAll(List.of("--port-file", folder.resolve("port").toString()));
        words.addAll(List.of("--cert", agentTls.certificate().toString()));
        words.addAll(List.of("--key", agentTls.key().toString()));
        words.addAll(List.of("--ca", agentTls.authority().toString()));
        Process agent = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        try {
            while (!Files.exists(folder.resolve("port"))) {
                assertThat(agent.isAlive()).as(Files.readString(log())).isTrue();
                TimeUnit.MILLISECONDS.sleep(50);
            }
            int port = Integer.parseInt(Files.readString(folder.resolve("port")).strip());
            try (AgentClient client = AgentClient.connect(new HostPort("127.0.0.1", port), site)) {
                return asking.of(client);
            }
        } finally {
            agent.destroy();
            assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(log()).lines().filter(line -> line.contains(ONE_BY_ONE)))
                    .hasSize(isNative ? 0 : 1)
                    .allMatch(line -> line.contains("WARN") && line.contains("none.so"));
        }
    }

    private static Void put(AgentClient client, List<StoredRegion> regions) throws IOException {
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int i = 0; i < regions.size(); i++) {
            StoredRegion region = regions.get(i);
            puts.add(client.put(
                    i % 2 == 0
                            ? region
                            : new StoredRegion(
                                    region.chunks(), region.codec(), StoredRegion.UNDIGESTED, region.stored())));
        }
        for (CompletableFuture<Void> put : puts) {
            Answers.await(put);
        }
        client.sync();
        return null;
    }

    private static Answer.Verified verified(AgentClient client) throws IOException {
        List<String> problems = new ArrayList<>();
        long chunks = 0;
        long bytes = 0;
        long cursor = 0;
        do {
            Answer.Verified part = client.verify(VerifyScope.EVERYTHING, cursor);
            problems.addAll(part.problems());
            chunks += part.chunks();
            bytes += part.bytes();
            cursor = part.nextCursor();
        } while (cursor != 0);
        return new Answer.Verified(0, chunks, bytes, problems);
    }

    @InTurn(days = 3)
    @Test
    void whatEitherStoresIsWholeToTheOtherAndBothFindTheSameDamage() throws Exception {
        List<StoredRegion> regions = Samples.inRegions(random, Samples.chunks(random, 400, 20_000));
        ask(true, client -> put(client, regions.subList(0, 50)));
        ask(false, client -> put(client, regions.subList(50, regions.size())));
        for (boolean isNative : new boolean[] {true, false}) {
            Answer.Verified all = ask(isNative, NativeDigestsIT::verified);
            assertThat(all.problems()).isEmpty();
            assertThat(all.chunks()).isEqualTo(400);
        }
        Path container = folder.resolve("repo/containers/00000/00000001.container");
        for (int i = 0; i < 10; i++) {
            flip(container, 100 + random.nextInt((int) Files.size(container) - 100));
        }
        Answer.Verified byNative = ask(true, NativeDigestsIT::verified);
        assertThat(byNative.chunks()).isEqualTo(400);
        assertThat(byNative.problems()).isNotEmpty();
        assertThat(ask(false, NativeDigestsIT::verified)).isEqualTo(byNative);
    }

    private static void flip(Path path, int at) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            int old = file.read();
            file.seek(at);
            file.write(old ^ 0x10);
        }
    }

    @Test
    void aRegionThatCameWithAnotherDigestIsRefusedByBoth() throws Exception {
        StoredRegion region = Samples.sealed(Samples.randomBytes(random, 5_000));
        StoredRegion wrong =
                new StoredRegion(region.chunks(), region.codec(), region.first().fingerprint(), region.stored());
        for (boolean isNative : new boolean[] {true, false}) {
            ask(isNative, client -> {
                assertThatThrownBy(() -> Answers.await(client.put(wrong)))
                        .isInstanceOf(AgentException.class)
                        .hasMessageContaining("another SHA-256: send it again");
                Answers.await(client.put(region));
                return null;
            });
        }
    }
}
