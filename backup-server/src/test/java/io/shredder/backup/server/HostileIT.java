// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link HostileTrial}, some connections; at full count with {@code ./run trials --only hostile}. */
class HostileIT {

    private static final int FLOODING = 8;
    private static final int BACKUPS = 3;

    @TempDir
    private Path folder;

    /** As fast as eight connections of a stolen certificate can. */
    @InTurn(days = 3)
    @Test
    void aSeriesThatIsFloodedMeanwhileIsBackedUp() throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(FLOODING);
        try (ThreadOutput output = ThreadOutput.install();
                HostileSite site = new HostileSite(folder.resolve("site"))) {
            List<Future<?>> floods = new ArrayList<>();
            for (int i = 0; i < FLOODING; i++) {
                Random random = new Random(i);
                floods.add(threads.submit(() -> {
                    HostileConnection.flood(site, new SnapshotName("vm"), random, ends::get);
                    return null;
                }));
            }
            try (AgentClient agent = site.first().connect()) {
                long flooded = Long.getLong("hostile.flooded", 100);
                TrialRun.await("a flood", 600_000, () -> agent.statistics().snapshots() >= flooded);
            }
            Path image = folder.resolve("image");
            for (int i = 0; i < BACKUPS; i++) {
                Sites.random(image, new Random(i), 100_000);
                long startNs = System.nanoTime();
                HostileSite.run(site.words("backup", image.toString(), "--name", "vm"));
                output.real()
                        .println("backed up in " + (System.nanoTime() - startNs) / 1_000_000 + " ms beside a flood");
            }
            ends.set(true);
            for (Future<?> flood : floods) {
                flood.get();
            }
            HostileSite.run(site.words(
                    "restore", "vm", "--to", folder.resolve("restored").toString()));
            assertThat(Files.mismatch(image, folder.resolve("restored"))).isEqualTo(-1);
        } finally {
            ends.set(true);
            threads.shutdown();
        }
    }

    @Test
    void noGenuineSnapshotIsLostAndNoGenuineOperationFailsWhateverClientsDoThatMayAppend() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("hostile.connections", 30, 60), 4, folder);
        try (ThreadOutput output = ThreadOutput.install()) {
            TrialRun.of(new HostileTrial(), settings, output.real()).orThrow(output.real());
        }
    }
}
