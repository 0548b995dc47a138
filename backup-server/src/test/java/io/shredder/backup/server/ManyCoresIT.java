// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.FileTarget;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.InTurn;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However many threads and connections a backup or a restore has: the same snapshots, and the same image. */
class ManyCoresIT {

    private static final int MIB = 1 << 20;

    /** So many that chunks go by connections of their own. */
    private static final int IMAGE_BYTES = 160 * MIB;

    @TempDir
    private Path folder;

    private Sites sites;

    @Test
    @InTurn(days = 3)
    void sixteenCoresMakeAndRestoreWhatOneDoes() throws IOException {
        Path image = folder.resolve("image");
        Random random = new Random(5);
        Sites.random(image, random, IMAGE_BYTES);
        try (Sites started = new Sites(folder)) {
            sites = started;
            sites.startAgent();
            List<Pointer> one = backUp(image, "one", 1);
            assertThat(backUp(image, "many", 16)).isEqualTo(one);
            assertRestores("many", image, 16);

            change(image, random);
            List<Pointer> changed = backUp(image, "one", 1);
            assertThat(changed).isNotEqualTo(one);
            assertThat(backUp(image, "many", 16)).isEqualTo(changed);
            assertRestores("one", image, 16);
            assertRestores("many", image, 1);
            assertThat(backUp(image, "many", 16)).isEqualTo(changed);
            assertThat(sites.server("verify").out()).contains("all good");
        }
    }

    /** Bytes here and there, some inserted, a run of zeros, and a stretch that is all new. */
    private static void change(Path image, Random random) throws IOException {
        byte[] tail = new byte[20 * MIB];
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            for (int i = 0; i < 300; i++) {
                file.seek(random.nextInt(80 * MIB));
                file.write(random.nextInt());
            }
            file.seek(100 * MIB);
            file.write(new byte[3 * MIB]);
            file.seek(140 * MIB);
            file.readFully(tail);
            file.seek(140 * MIB);
            file.write(new byte[777]);
            file.write(tail);
            byte[] fresh = new byte[10 * MIB];
            random.nextBytes(fresh);
            file.seek(110 * MIB);
            file.write(fresh);
        }
    }

    private List<Pointer> backUp(Path image, String name, int cores) throws IOException {
        SnapshotName series = new SnapshotName(name);
        try (AgentClient agent = sites.connect();
                Shredder engine = Shredder.open(ShredderOptions.defaults());
                ImageSource source = new ImageAddress.RawFile(image).open()) {
            BackupReport report = new BackupSession(
                            agent,
                            engine,
                            sites.key(),
                            SnapshotCaches.in(folder.resolve("cache-" + name)),
                            KnownCommits.in(folder.resolve("state")),
                            false,
                            new Cores(cores))
                    .run(source, series, ImageCuts.usual(), Remarks.none(), Pace.unlimited());
            List<Pointer> pointers = new ArrayList<>();
            SnapshotPointers list = new SnapshotPointers(agent, sites.key(), report.snapshot());
            for (List<Pointer> page = list.nextPage(); !page.isEmpty(); page = list.nextPage()) {
                pointers.addAll(page);
            }
            return pointers;
        }
    }

    private void assertRestores(String name, Path image, int cores) throws IOException {
        Path to = folder.resolve("restored");
        try (AgentClient agent = sites.connect();
                FileTarget target = new FileTarget(to, true, false, cores)) {
            RestoreSession session = new RestoreSession(agent, sites.key(), new Cores(cores));
            session.run(SnapshotChoice.parse(name).find(agent), target);
            assertThat(session.writtenBytes()).isEqualTo(Files.size(image));
        }
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
    }
}
