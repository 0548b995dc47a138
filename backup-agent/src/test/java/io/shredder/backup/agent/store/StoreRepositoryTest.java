// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerScan;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.UpkeepAnswer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository whose containers and snapshots are in a store, here on Hadoop's local file system. */
class StoreRepositoryTest {

    @TempDir
    private Path folder;

    private StorePlace place;
    private final Random random = new Random(9);
    private final List<StoredRegion> regions =
            Samples.inRegions(random, Samples.chunks(random, 220, 4000)).subList(0, 40);

    @BeforeEach
    void name() {
        place = at("repo", "store");
    }

    private StorePlace at(String repo, String store) {
        return new StorePlace(
                folder.resolve(repo), Optional.of(folder.resolve(store).toUri()));
    }

    private Repository open(StorePlace at) throws IOException {
        return Repository.open(at, RepositoryIndex.defaultKeyFile(at.root()), Clock.systemUTC());
    }

    private static void assertRestores(Repository repository, long id, List<StoredRegion> regions) throws IOException {
        try (TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, regions);
        }
    }

    @Test
    void everythingButTheIndexIsInTheStoreAndAnotherFolderTakesItFromThere() throws IOException {
        UUID id;
        long first;
        long second;
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            id = repository.id();
            first = session.backUp("vm", regions.subList(0, 30));
            second = session.backUp("vm", regions.subList(10, 40));
            session.assertRestores(first, regions.subList(0, 30));
        }
        assertThat(folder.resolve("repo").toFile().list())
                .containsExactlyInAnyOrder(
                        "audit.log", "catalogue.log", "incoming", "index", "lock", "reserve", "store");

        StorePlace elsewhere = at("new", "store");
        assertThatThrownBy(() -> open(elsewhere))
                .hasMessageContaining("rebuild-index --repo " + folder.resolve("new") + " --store file:");
        assertThat(AgentMain.run(
                        "rebuild-index",
                        "--repo",
                        elsewhere.root().toString(),
                        "--store",
                        elsewhere.uri().orElseThrow().toString()))
                .isZero();
        try (Repository repository = open(elsewhere)) {
            assertThat(repository.id()).isEqualTo(id);
            assertThat(repository.catalogue().ids()).containsExactly(first, second);
            assertRestores(repository, first, regions.subList(0, 30));
            assertRestores(repository, second, regions.subList(10, 40));
            assertThat(repository.catalogue().problems())
                    .singleElement()
                    .asString()
                    .contains("catalogue.log is missing");
        }
        assertThat(AgentMain.run(
                        "accept-catalogue",
                        "--repo",
                        elsewhere.root().toString(),
                        "--store",
                        elsewhere.uri().orElseThrow().toString()))
                .isZero();
        try (Repository repository = open(elsewhere)) {
            assertThat(repository.catalogue().problems()).isEmpty();
            assertThat(repository.catalogue().ids()).containsExactly(first, second);
        }
    }

    @Test
    void whatNoSnapshotNeedsIsCollectedThereToo() throws IOException {
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            long first = session.backUp("vm", regions.subList(0, 30));
            long second = session.backUp("vm", regions.subList(20, 40));
            session.delete(first);
            UpkeepAnswer.Collected collected = session.collect(false);
            assertThat(collected.problems()).isEmpty();
            assertThat(collected.freedBytes()).isPositive();
            assertThat(session.isThere(regions.get(0))).isFalse();
            session.assertRestores(second, regions.subList(20, 40));
            session.putIfNew(regions.get(0));
        }
        try (Repository repository = open(place)) {
            assertRestores(repository, 2, regions.subList(20, 40));
        }
    }

    /** What a writer that dies may leave behind what was promised. */
    private void addTail(byte[] tail) throws IOException {
        Path container = folder.resolve("store/containers/00000/00000001.container");
        Files.delete(container.resolveSibling("." + container.getFileName() + ".crc"));
        Files.write(container, tail, StandardOpenOption.APPEND);
    }

    private int records(Repository repository) throws IOException {
        ContainerFolder containers = repository.chunks().containers();
        List<Integer> records = new ArrayList<>();
        for (int number : containers.numbers()) {
            ContainerScan.Result result = new ContainerScan(containers, number).scan(0, region -> records.add(number));
            assertThat(result.damage()).isNull();
        }
        return records.size();
    }

    @Test
    void aTailThatNobodyWasPromisedIsTakenUpWholeOrTakenAwayAndNeverAppendedTo() throws IOException {
        long id;
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            id = session.backUp("vm", regions.subList(0, 2));
        }
        Path container = folder.resolve("store/containers/00000/00000001.container");
        byte[] promised = Files.readAllBytes(container);
        int record = 84 + regions.get(0).stored().length();
        addTail(Arrays.copyOfRange(promised, 64, 64 + record + 100));
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            assertThat(container).hasSize(promised.length + record);
            assertThat(records(repository)).isEqualTo(3);
            session.assertRestores(id, regions.subList(0, 2));
            session.backUp("vm", regions.subList(2, 4));
            assertThat(repository.chunks().containers().numbers()).containsExactly(1, 2);
        }
        assertThat(container).hasSize(promised.length + record);
    }

    @Test
    void aNewMachineCutsOffWhatWasBeingWritten() throws IOException {
        long id;
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            id = session.backUp("vm", regions.subList(0, 2));
        }
        Path container = folder.resolve("store/containers/00000/00000001.container");
        byte[] promised = Files.readAllBytes(container);
        addTail(Arrays.copyOfRange(promised, 64, 64 + 500));
        StorePlace elsewhere = at("new", "store");
        IndexRebuild.Result rebuilt =
                Repository.rebuildIndex(elsewhere, RepositoryIndex.defaultKeyFile(elsewhere.root()));
        assertThat(rebuilt.damage()).isEmpty();
        assertThat(rebuilt.chunks())
                .isEqualTo(
                        regions.get(0).chunks().size() + regions.get(1).chunks().size());
        assertThat(container).hasBinaryContent(promised);
        try (Repository repository = open(elsewhere)) {
            assertRestores(repository, id, regions.subList(0, 2));
        }
    }

    @Test
    void withoutContainersTheIndexStaysAsItIs() throws IOException {
        long id;
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            id = session.backUp("vm", regions);
        }
        Path containers = folder.resolve("store/containers");
        Path aside = Files.move(containers, folder.resolve("aside"));
        assertThat(AgentMain.run(
                        "rebuild-index",
                        "--repo",
                        place.root().toString(),
                        "--store",
                        place.uri().orElseThrow().toString()))
                .isEqualTo(1);
        assertThatThrownBy(() -> Repository.rebuildIndex(place, RepositoryIndex.defaultKeyFile(place.root())))
                .hasMessageContaining("there is no container in")
                .hasMessageContaining("is its disk mounted?");
        Files.move(aside, containers);
        try (Repository repository = open(place)) {
            assertRestores(repository, id, regions);
        }
    }

    @Test
    void anObjectStoreThatWasNotTriedIsRefusedByItsName() {
        for (String store : List.of("gs://bucket/backup", "abfs://c@account/backup", "ABFSS://c@account/backup")) {
            StorePlace refused = new StorePlace(folder.resolve("other"), Optional.of(URI.create(store)));
            assertThatThrownBy(() -> open(refused))
                    .hasMessageContaining(store)
                    .hasMessageContaining("use one that speaks S3 (s3://BUCKET/PREFIX");
        }
        StorePlace ftp = new StorePlace(folder.resolve("other"), Optional.of(URI.create("ftp://server/backup")));
        assertThatThrownBy(() -> open(ftp))
                .hasMessageContaining("renaming, which must be one step")
                .hasMessageContaining("hdfs");
    }

    @Test
    void theSmallContainersThatManyCommitsLeaveAreJoinedByACollection() throws IOException {
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ids.add(session.backUp("vm", regions.subList(4 * i, 4 * i + 4)));
            }
            assertThat(repository.chunks().containers().numbers()).hasSize(10);
            assertThat(session.collect(false).problems()).isEmpty();
            assertThat(repository.chunks().containers().numbers()).hasSize(2);
            session.collect(false);
            session.collect(false);
            List<Integer> joined = repository.chunks().containers().numbers();
            assertThat(joined).hasSize(1);
            session.collect(false);
            assertThat(repository.chunks().containers().numbers()).isEqualTo(joined);
            for (int i = 0; i < 10; i++) {
                session.assertRestores(ids.get(i), regions.subList(4 * i, 4 * i + 4));
            }
        }
    }

    @Test
    void aFolderAndAStoreThatDoNotGoTogetherAreRefused() throws IOException {
        open(place).close();
        assertThatThrownBy(() -> Repository.open(folder.resolve("repo"), Clock.systemUTC()))
                .hasMessageContaining("name that with --store");
        assertThatThrownBy(() -> open(at("repo", "other"))).hasMessageContaining("goes with store file:");
        Repository.open(folder.resolve("plain"), Clock.systemUTC()).close();
        assertThatThrownBy(() -> open(at("plain", "store"))).hasMessageContaining("has containers of its own");
        Files.createDirectories(folder.resolve("photos"));
        Files.writeString(folder.resolve("photos/a.jpg"), "x");
        assertThatThrownBy(() -> open(at("third", "photos"))).hasMessageContaining("is not a repository and not empty");
        assertThatThrownBy(() -> open(new StorePlace(folder.resolve("fourth"), Optional.of(URI.create("nofs://x/y")))))
                .hasMessageContaining("store nofs://x/y can't be used: ");
        assertThatThrownBy(() -> open(new StorePlace(folder.resolve("fifth"), Optional.of(URI.create("viewfs://x/y")))))
                .hasMessageContaining("store viewfs://x/y can't be opened: ");
    }

    @Test
    void aStoreThatLostItsHeaderOrEverythingIsNotBegunAnew() throws IOException {
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            session.backUp("vm", regions);
        }
        Path store = folder.resolve("store");
        byte[] header = Files.readAllBytes(store.resolve("repository"));
        Files.delete(store.resolve("repository"));
        assertThatThrownBy(() -> open(place))
                .hasMessageContaining("repository of")
                .hasMessageContaining("is missing, though there is containers/00000/00000001.container")
                .hasMessageContaining("--store file:");
        StorePlace other = at("other", "store");
        assertThatThrownBy(() -> open(other)).hasMessageContaining("is missing, though there is containers/");
        Path aside = Files.move(store, folder.resolve("aside"));
        assertThatThrownBy(() -> open(place)).hasMessageContaining("is missing, though there is catalogue.log");
        assertThat(store.resolve("repository")).doesNotExist();
        delete(store);
        Files.move(aside, store);
        String uri = place.uri().orElseThrow().toString();
        assertThat(AgentMain.run("rebuild-index", "--repo", place.root().toString(), "--store", uri))
                .isZero();
        assertThat(Files.readAllBytes(store.resolve("repository"))).isEqualTo(header);
        open(place).close();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
