// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.Sites.Result;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.DiscardTarget;
import io.shredder.backup.server.transfer.CopySession;
import io.shredder.backup.server.transfer.RepairSession;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.SnapshotCommit;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However many threads copy, repair and prove: the same snapshots, the same chunks. */
@Timeout(300)
class CopyCoresIT {

    private static final int IMAGE_BYTES = 60 << 20;

    @TempDir
    private Path folder;

    private final List<Sites> started = new ArrayList<>();
    private Path image;
    private Sites first;

    @BeforeEach
    void backUp() throws IOException {
        image = folder.resolve("image");
        Sites.random(image, new Random(11), IMAGE_BYTES);
        first = start("first");
        // So many chunks that their list has several pages.
        assertThat(first.here("backup", image.toString(), "--name", "vm", "--avg", "16k")
                        .err())
                .isEmpty();
    }

    @AfterEach
    void stop() throws IOException {
        for (Sites sites : started) {
            sites.close();
        }
    }

    private Sites start(String name) throws IOException {
        Sites sites = new Sites(Files.createDirectory(folder.resolve(name)));
        started.add(sites);
        sites.startAgent();
        return sites;
    }

    private SnapshotInfo copy(Sites second, int cores) throws IOException {
        KnownCommits known = KnownCommits.in(folder.resolve("state"));
        try (AgentClient source = first.connect();
                AgentClient target = second.connect();
                CopySession session = new CopySession(source, target, first.key(), new Cores(cores))) {
            ProvedSnapshot snapshot = new TrustedChoice(source, first.key(), known).find(SnapshotChoice.parse("vm"));
            AgentSeries series =
                    new AgentSeries(target, first.key(), known, snapshot.info().name());
            ProvedSeries there = series.checked();
            SnapshotInfo copy = session.copy(
                    snapshot, new SnapshotCommit(series, there), there.last().map(ProvedSnapshot::info));
            assertThat(session.sentChunks()).isEqualTo(snapshot.info().chunkCount());
            assertThat(session.copiedBytes()).isEqualTo(IMAGE_BYTES);
            assertThat(target.statistics().chunks())
                    .isEqualTo(source.statistics().chunks());
            return copy;
        }
    }

    private void assertProves(Sites sites, SnapshotInfo snapshot, int cores) throws IOException {
        try (AgentClient agent = sites.connect();
                DiscardTarget nowhere = new DiscardTarget()) {
            RestoreSession session = new RestoreSession(agent, first.key(), new Cores(cores));
            session.run(snapshot, nowhere);
            assertThat(session.writtenBytes()).isEqualTo(IMAGE_BYTES);
        }
    }

    @InTurn(days = 3)
    @Test
    void sixteenCoresCopyAndProveWhatOneDoes() throws IOException {
        Sites second = start("second");
        Sites third = start("third");
        SnapshotInfo byOne = copy(second, 1);
        SnapshotInfo bySixteen = copy(third, 16);
        assertThat(bySixteen.contentDigest()).isEqualTo(byOne.contentDigest());
        assertThat(bySixteen.chunkCount()).isEqualTo(byOne.chunkCount());
        assertProves(second, byOne, 16);
        assertProves(third, bySixteen, 1);
        assertThat(third.here("verify").out()).contains("all good");
    }

    @InTurn(days = 3)
    @Test
    void aDamagedChunkEndsACopyAndSixteenCoresRepairAllThatAre() throws IOException {
        Sites second = start("second");
        copy(second, 16);
        damage();
        Sites third = start("third");
        assertThatThrownBy(() -> copy(third, 16)).hasMessageContaining("nothing is copied: ");
        assertThat(third.here("list").out()).doesNotContain("vm");

        assertThat(first.here("verify").exitCode()).isEqualTo(1);
        try (AgentClient agent = first.connect();
                AgentClient other = second.connect();
                RepairSession repair = new RepairSession(agent, Optional.of(other), first.key(), new Cores(16))) {
            repair.repair(SnapshotChoice.parse("vm").find(agent));
            agent.sync();
            assertThat(repair.problems()).isEmpty();
            assertThat(repair.missingChunks()).isGreaterThan(20);
            assertThat(repair.repairedChunks()).isEqualTo(repair.missingChunks());
        }
        assertThat(first.here("verify").out()).contains("all good");
    }

    /** Here and there. */
    private void damage() throws IOException {
        try (Stream<Path> files = Files.walk(first.repository().resolve("containers"))) {
            for (Path container : files.filter(Files::isRegularFile).toList()) {
                try (RandomAccessFile file = new RandomAccessFile(container.toFile(), "rw")) {
                    for (long at = 1 << 20; at < file.length(); at += 2 << 20) {
                        file.seek(at);
                        int before = file.read();
                        file.seek(at);
                        file.write(before ^ 4);
                    }
                }
            }
        }
    }

    @InTurn(days = 3)
    @Test
    void theCommandsTakeThreads() throws IOException {
        Sites second = start("second");
        List<String> copy = new ArrayList<>(List.of("copy", "vm", "--threads", "1"));
        copy.addAll(second.secondAgentOptions());
        assertThat(first.here(copy.toArray(String[]::new)).err()).isEmpty();
        List<String> prove = new ArrayList<>(List.of("verify", "vm", "--threads", "2"));
        prove.addAll(first.keyOptions("site"));
        assertThat(first.here(prove.toArray(String[]::new)).out()).contains("all good");
        assertThat(first.here("repair", "--threads", "1").err()).isEmpty();
        Result byAgent = first.here("verify", "--threads", "2");
        assertThat(byAgent.exitCode()).isEqualTo(2);
        assertThat(byAgent.err()).contains("--threads is for a snapshot that is proved here");
    }
}
