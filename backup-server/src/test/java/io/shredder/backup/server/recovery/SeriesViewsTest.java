// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.Secret;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks never waits for an agent, whatever that does. */
class SeriesViewsTest {

    private static final SnapshotName IMAGE = new SnapshotName("vm");

    @TempDir
    private Path folder;

    private ServerSocket silent;
    private SeriesViews views;

    @BeforeEach
    void start() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress()); // The kernel accepts; nobody says a word.
        TlsFiles tls = new TestCertificates(folder.resolve("certs")).client("site1");
        SecureRandom random = new SecureRandom();
        Secret secret = SecretFile.create(folder.resolve("site.secret"), random);
        KeyFile.of(RepositoryKey.generate(random), secret, random).create(folder.resolve("site.key"));
        Path file = folder.resolve("server.yaml");
        Files.writeString(
                file,
                "version: 1\nstate: state\nagent: {address: 'localhost:" + silent.getLocalPort() + "', certificate: "
                        + tls.certificate() + ", key: " + tls.key() + ", authority: " + tls.authority() + "}\n"
                        + "repository-key: {file: site.key, secret-file: site.secret}\n"
                        + "jobs: {nightly: {images: {vm: {file: vm.img}}}}\n");
        ServerConfig config = ServerConfigReader.read(file);
        CareSite site = new CareSite(
                config, CareLedger.open(folder), Clock.systemUTC(), Pace.unlimited(), (job, image) -> List.of());
        views = new SeriesViews(() -> site, Duration.ofSeconds(1));
    }

    @AfterEach
    void stop() throws IOException {
        views.close();
        silent.close();
    }

    private SeriesViews.Look awaitLook(SnapshotName image) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        SeriesViews.Look look = views.look(image);
        while (look instanceof SeriesViews.Asked) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.sleep(10);
            look = views.look(image);
        }
        return look;
    }

    private static String reason(SeriesViews.Look look) {
        assertThat(look).isInstanceOf(SeriesViews.Failed.class);
        return ((SeriesViews.Failed) look).reason();
    }

    @Test
    void anAgentThatSaysNothingIsGivenUpAndNobodyWaitsMeanwhile() throws InterruptedException {
        assertThat(views.look(IMAGE)).isInstanceOf(SeriesViews.Asked.class);
        assertThat(reason(awaitLook(IMAGE))).contains("the agent");
        assertThat(reason(views.look(IMAGE))).as("it stands for a while").contains("the agent");
    }

    @Test
    void moreQuestionsThanThereIsRoomForAreRefusedAtOnce() {
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            if (views.look(new SnapshotName("vm" + i)) instanceof SeriesViews.Failed failed) {
                assertThat(failed.reason()).contains("asked for so much else");
                refused++;
            }
        }
        assertThat(refused).isBetween(70, 90);
    }

    @Test
    void anAgentThatIsNotThereIsNamed() throws Exception {
        silent.close();
        assertThat(reason(awaitLook(IMAGE))).contains("localhost:" + silent.getLocalPort());
    }
}
