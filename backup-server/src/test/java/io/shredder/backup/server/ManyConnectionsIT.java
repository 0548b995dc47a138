// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.server.Sites.Result;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.FileTarget;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A restore's chunks come over several connections, as on machines with many cores. Any of them may fail. */
@Timeout(300)
class ManyConnectionsIT {

    private static final int MIB = 1 << 20;

    /** So many that chunks go by connections of their own. */
    private static final int IMAGE_BYTES = 160 * MIB;

    /** Four connections for chunks beside the first. */
    private static final Cores CORES = new Cores(16);

    @TempDir
    private Path folder;

    private Path image;
    private Path to;
    private Sites sites;

    @BeforeEach
    void backUp() throws IOException {
        image = folder.resolve("image");
        to = Files.createDirectory(folder.resolve("to")).resolve("restored");
        Sites.random(image, new Random(7), IMAGE_BYTES);
        sites = new Sites(folder);
        sites.startAgent();
        Result made = sites.here("backup", image.toString(), "--name", "vm", "--no-cache");
        assertThat(made.err()).isEmpty();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private CuttingRelay relay(int cut, long behind) throws IOException {
        return new CuttingRelay(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), sites.port()),
                1 + CORES.chunkConnections(),
                cut,
                behind);
    }

    private void restore(int port) throws IOException {
        try (AgentClient agent = sites.connect(port);
                FileTarget target = new FileTarget(to, false, false, CORES.count())) {
            new RestoreSession(agent, sites.key(), CORES)
                    .run(SnapshotChoice.parse("vm").find(agent), target);
        }
    }

    @InTurn(days = 3)
    @Test
    void eachConnectionBringsAPart() throws IOException {
        try (CuttingRelay relay = relay(CuttingRelay.NONE, 0)) {
            restore(relay.port());
            List<Long> bytes = relay.sentBytes();
            assertThat(bytes).hasSize(1 + CORES.chunkConnections());
            assertThat(bytes.subList(1, bytes.size())).allMatch(sent -> sent > MIB);
        }
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
    }

    @Test
    void whicheverConnectionIsCutTheRestoreEndsAndLeavesNothing() throws IOException {
        for (int cut : new int[] {0, 1, CORES.chunkConnections()}) {
            try (CuttingRelay relay = relay(cut, 5 * MIB)) {
                assertThatThrownBy(() -> restore(relay.port()))
                        .as("connection %d", cut)
                        .isInstanceOf(AgentException.class)
                        .hasMessageContaining("127.0.0.1:" + relay.port());
                assertThat(relay.sentBytes()).hasSizeGreaterThan(cut);
            }
            assertNothingLeft();
        }
        restore(sites.port());
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
    }

    @InTurn(days = 3)
    @Test
    void damageThatComesOverAnyConnectionEndsTheRestoreAndLeavesNothing() throws IOException {
        List<Path> containers = containers();
        Path damaged = containers.get(containers.size() - 1);
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            long middle = file.length() / 2;
            file.seek(middle);
            int before = file.read();
            file.seek(middle);
            file.write(before ^ 1);
        }
        assertThatThrownBy(() -> restore(sites.port()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chunk ");
        assertNothingLeft();
        assertThat(sites.here("verify", "--details").err())
                .contains(damaged.getFileName().toString());
    }

    private List<Path> containers() throws IOException {
        try (Stream<Path> files = Files.walk(sites.repository())) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("containers"))
                    .sorted()
                    .toList();
        }
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> files = Files.list(to.getParent())) {
            assertThat(files).isEmpty();
        }
        while (Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .anyMatch(name -> name.startsWith("restore-open") || name.startsWith("agent-client"))) {
            Uninterruptibles.sleepUninterruptibly(
                    Duration.ofMillis(10)); // One that was opening a connection ends at the next step.
        }
    }
}
