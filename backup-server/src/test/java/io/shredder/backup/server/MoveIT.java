// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store over three keepers goes to five while backups and restores go on, and the agent is killed all the time. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MoveIT {

    private static final int KILLS = 6;
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private final Map<String, String> digests = new TreeMap<>();
    private Sites sites;
    private String old;
    private String next;

    @BeforeEach
    void start() throws IOException {
        old = "disperse:" + keepers("old", 2, 1);
        next = "disperse:" + keepers("next", 3, 2);
        sites = new Sites(folder);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private Path keepers(String name, int data, int parity) throws IOException {
        List<String> keepers = new ArrayList<>();
        for (int i = 0; i < data + parity; i++) {
            keepers.add(Files.createDirectories(folder.resolve(name).resolve("keeper" + i))
                    .toString());
        }
        return Files.writeString(
                folder.resolve(name + ".yaml"),
                "data: " + data + "\nparity: " + parity + "\nkeepers: " + keepers + "\n");
    }

    private void startAgent(String... options) throws IOException {
        sites.serveWith(options);
        sites.startAgent();
    }

    private void backUp(String name, int bytes) throws IOException {
        Path image = folder.resolve(name);
        Sites.random(image, random, bytes);
        assertThat(sites.here("backup", image.toString(), "--name", name).exitCode())
                .isZero();
        digests.put(name, Sites.sha256(image));
    }

    private void assertRestores(String name) throws IOException {
        Path target = folder.resolve("restored-" + name);
        Files.deleteIfExists(target);
        Sites.Result result = sites.here("restore", name, "--to", target.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Sites.sha256(target)).isEqualTo(digests.get(name));
    }

    @InTurn(days = 3)
    @Test
    void everyBackupIsThereAllTheTimeAndTheOldKeepersAreNotNeededInTheEnd() throws IOException {
        startAgent("--store", old);
        backUp("vm0", 9 * MIB);
        backUp("vm1", 3 * MIB);
        assertThat(sites.stopAgent()).isZero();
        for (int kill = 0; kill < KILLS; kill++) {
            startAgent("--store", next, "--moves-from", old, "--move-rate", "2m");
            if (kill % 2 == 0) {
                backUp("during" + kill, MIB);
            }
            assertRestores("vm" + kill % 2);
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(random.nextInt(500)));
            sites.killAgent();
        }
        assertRefused("--store", next);
        assertRefused("--store", old);
        startAgent("--store", next, "--moves-from", old);
        while (!Files.readString(sites.agentLog()).contains("all files of " + old + " are in ")) {
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(20));
        }
        for (String name : digests.keySet()) {
            assertRestores(name);
        }
        assertThat(sites.stopAgent()).isZero();
        Files.move(folder.resolve("old"), folder.resolve("gone"));
        startAgent("--store", next, "--moves-from", old);
        assertThat(sites.here("verify").exitCode()).isZero();
        assertThat(sites.stopAgent()).isZero();
        startAgent("--store", next);
        backUp("after", MIB);
        Files.move(folder.resolve("next/keeper0"), folder.resolve("lost0"));
        Files.move(folder.resolve("next/keeper3"), folder.resolve("lost3"));
        for (String name : digests.keySet()) {
            assertRestores(name);
        }
    }

    private void assertRefused(String... store) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("rebuild-index", "--repo", folder.resolve("agent").toString()));
        words.addAll(List.of(store));
        Sites.Result result = sites.agentCommand(words.toArray(String[]::new));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("moves-from");
    }
}
