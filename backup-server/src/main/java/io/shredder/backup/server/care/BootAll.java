// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.machine.BootTest;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a machine from the newest snapshot of each image, one after the other. */
final class BootAll {

    private static final Logger LOG = LoggerFactory.getLogger(BootAll.class);

    private final CareSite site;
    private final CareConfig.Boot work;

    BootAll(CareSite site, CareConfig.Boot work) {
        this.site = site;
        this.work = work;
    }

    List<SnapshotName> images() {
        return work.images();
    }

    CareOutcome run(SnapshotName image) {
        try {
            return boot(image);
        } catch (IOException e) {
            return CareOutcome.failed(CareOutcome.Kind.BOOT, Optional.of(image.value()), e);
        } catch (RuntimeException | Error e) {
            return CareOutcome.died(CareOutcome.Kind.BOOT, Optional.of(image.value()), e);
        }
    }

    private CareOutcome boot(SnapshotName image) throws IOException {
        RepositoryKey key = site.key();
        AgentClient agent = site.connect();
        SnapshotReader reader;
        try {
            ProvedSnapshot newest = site.newest(agent, key, image);
            reader = new SnapshotReader(
                    agent,
                    site::connect,
                    key,
                    newest.info(),
                    ReaderOptions.usual(Cores.outsideHeap(OptionalInt.empty())),
                    LOG::warn);
        } catch (IOException | RuntimeException | Error e) {
            agent.close();
            throw e;
        }
        try (reader) {
            Optional<Path> picture = work.pictures().map(folder -> folder.resolve(image.value() + ".png"));
            if (work.pictures().isPresent()) {
                Files.createDirectories(work.pictures().get());
            }
            BootTest.Outcome seen =
                    SnapshotBoot.run(reader, new BootTest(work.machine(), work.signs(), LOG::warn), picture);
            return new CareOutcome(
                    CareOutcome.Kind.BOOT,
                    Optional.of(image.value()),
                    Optional.empty(),
                    seen.alive() ? List.of() : problems(SnapshotText.name(reader.snapshot()), seen),
                    Map.of("boot.seconds", seen.elapsed().toMillis() / 1e3));
        }
    }

    private static List<String> problems(String snapshot, BootTest.Outcome seen) {
        List<String> lines = new ArrayList<>();
        lines.add(snapshot + " showed no sign of life within " + seen.elapsed().toSeconds() + " s: not " + seen.sign());
        seen.console().forEach(line -> lines.add("console: " + line));
        return lines;
    }
}
