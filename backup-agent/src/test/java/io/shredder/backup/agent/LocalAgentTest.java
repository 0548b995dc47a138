// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.RegionPlaces;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalAgentTest {

    @TempDir
    private Path folder;

    private Path repository() {
        return folder.resolve("repo");
    }

    private void backUp(String client) throws IOException {
        SnapshotName name = new SnapshotName(client);
        ClientAccess access = new ClientAccess(name, name, Set.of(Right.APPEND), OptionalLong.empty(), Duration.ZERO);
        try (Repository repository = Repository.open(repository(), Clock.systemUTC());
                TestSession session = new TestSession(repository, access)) {
            session.backUp("vm", Samples.chunks(new Random(1), 5, 1000));
        }
    }

    private void assertRefused(@Nullable String client, String... words) {
        SnapshotName name = client == null ? null : new SnapshotName(client);
        var refused = assertThatThrownBy(() -> LocalAgent.open(repository(), null, name))
                .isInstanceOf(IOException.class);
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
    }

    @Test
    void nothingIsMadeWhereThereIsNoRepository() throws IOException {
        assertRefused(null, repository() + " is not a repository", "backup-agent serve --repo");
        assertThat(folder).isEmptyDirectory();
        Files.createDirectory(repository());
        assertRefused(null, "is not a repository");
        assertThat(repository()).isEmptyDirectory();
    }

    @Test
    void anAgentThatServesItIsNotDisturbed() throws IOException {
        backUp("site1");
        try (Repository serving = Repository.open(repository(), Clock.systemUTC())) {
            assertRefused(null, "in use by process " + ProcessHandle.current().pid());
            assertThat(serving.catalogue().ids()).hasSize(1);
        }
    }

    @Test
    void aClientIsChosenWhereThereAreSeveral() throws IOException {
        backUp("site1");
        try (LocalAgent only = LocalAgent.open(repository(), null, null)) {
            assertThat(only.greeting().client().value()).isEqualTo("site1");
        }
        backUp("site2");
        assertRefused(null, "choose one with --client: site1, site2");
        assertRefused("site3", "no snapshots of client site3, but of site1, site2");
        try (LocalAgent second = LocalAgent.open(repository(), null, new SnapshotName("site2"))) {
            assertThat(second.greeting().client().value()).isEqualTo("site2");
        }
    }

    @Test
    void aRepositoryWithoutSnapshotsOrAnIndexKeySaysSo() throws IOException {
        Repository.open(repository(), Clock.systemUTC()).close();
        assertRefused(null, "has no snapshots");
        backUp("site1");
        Path key = folder.resolve("repo.index-key");
        Path moved = Files.move(key, folder.resolve("elsewhere"));
        assertRefused(null, key + " is missing", "--index-key");
        LocalAgent.open(repository(), moved, null).close();
    }

    @Test
    void containersThatAreElsewhereNeedAnAgent() throws IOException {
        Files.createDirectory(repository());
        Files.write(repository().resolve("store"), List.of("hdfs://namenode/backup", "id"));
        assertRefused(null, "hdfs://namenode/backup", "backup-agent serve --store", "--agent");
    }

    @Test
    void whereChunksLieIsSaidOfThoseThatAreKept() throws Exception {
        backUp("site1");
        List<Fingerprint> kept = Samples.chunks(new Random(1), 5, 1000).stream()
                .map(chunk -> chunk.first().fingerprint())
                .toList();
        try (LocalAgent agent = LocalAgent.open(repository(), null, null)) {
            RegionPlaces finder = agent.places().orElseThrow();
            List<RegionPlace> places = finder.find(kept).get();
            assertThat(places).hasSize(5).doesNotHaveDuplicates();
            long end = FileHeader.BYTES;
            for (RegionPlace place : places) {
                assertThat(place.offset()).isEqualTo(end);
                end += place.recordBytes();
            }
            assertThat(places.get(0).container()).hasSize(end);
            assertThat(agent.receivedBytes()).isEqualTo(end - FileHeader.BYTES);
            assertThat(finder.find(List.of(kept.get(2), kept.get(2))).get()).containsExactly(places.get(2));
            Fingerprint other = Fingerprint.of(new byte[Fingerprint.BYTES]);
            assertThat(finder.find(List.of(kept.get(0), other)))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining(repository().toString());
        }
    }
}
