// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.s3.S3Settings;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A repository that goes from three keepers to five while it is used. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MovedRepositoryTest {

    /** Bytes a second: one file is moved, and then no other one for long. */
    private static final long SLOW = 1;

    @TempDir
    private Path folder;

    private final Random random = new Random(9);
    private final List<StoredRegion> regions =
            Samples.inRegions(random, Samples.chunks(random, 220, 4000)).subList(0, 40);
    private RemovableFolders old;
    private RemovableFolders next;

    @BeforeEach
    void makeKeepers() throws IOException {
        old = keepers("old", 2, 1);
        next = keepers("next", 3, 2);
    }

    private RemovableFolders keepers(String name, int data, int parity) throws IOException {
        RemovableFolders keepers = RemovableFolders.make(folder.resolve(name), data, parity);
        List<String> paths = IntStream.range(0, data + parity)
                .mapToObj(index -> "\"" + keepers.keeper(index) + "\"")
                .toList();
        Files.writeString(list(name), "data: " + data + "\nparity: " + parity + "\nkeepers: " + paths + "\n");
        return keepers;
    }

    private Path list(String name) {
        return folder.resolve(name + ".yaml");
    }

    private URI store(String name) {
        return URI.create("disperse:" + list(name));
    }

    private StorePlace at(String name) {
        return new StorePlace(folder.resolve("repo"), Optional.of(store(name)));
    }

    private StorePlace moving(OptionalLong rate) {
        return new StorePlace(
                folder.resolve("repo"),
                Optional.of(store("next")),
                RemoteKeepers.NONE,
                Optional.of(new StorePlace.Moved(store("old"), rate)),
                S3Settings.NONE);
    }

    private Repository open(StorePlace at) throws IOException {
        return Repository.open(at, RepositoryIndex.defaultKeyFile(at.root()), Clock.systemUTC());
    }

    private static long backUp(Repository repository, List<StoredRegion> regions) throws IOException {
        try (TestSession session = TestSession.open(repository)) {
            return session.backUp("vm", regions);
        }
    }

    private void assertRestores(Repository repository, List<Long> ids) throws IOException {
        for (int i = 0; i < ids.size(); i++) {
            try (TestSession session = TestSession.open(repository)) {
                session.assertRestores(ids.get(i), regions.subList(5 * i, 5 * i + 10));
            }
        }
    }

    private boolean isDone() throws IOException {
        return next.files(0).stream()
                .filter(file -> file.getFileName().toString().startsWith("moving@"))
                .anyMatch(MovedRepositoryTest::saysDone);
    }

    private static boolean saysDone(Path note) {
        try {
            return Files.readString(note, StandardCharsets.ISO_8859_1).contains("state done");
        } catch (IOException e) {
            return false; // Its next version took its place.
        }
    }

    private void awaitDone() throws IOException {
        while (!isDone()) {
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(5));
        }
    }

    @Test
    void backupsDeletionsAndCollectionsGoOnWhileItMovesAndTheOldKeepersAreNotNeededThen() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (Repository repository = open(at("old"))) {
            ids.add(backUp(repository, regions.subList(0, 10)));
            ids.add(backUp(repository, regions.subList(5, 15)));
        }
        long deleted;
        try (Repository repository = open(moving(OptionalLong.of(SLOW)))) {
            assertRestores(repository, ids);
            ids.add(backUp(repository, regions.subList(10, 20)));
            deleted = backUp(repository, regions.subList(30, 40));
            KeepersState state =
                    repository.chunks().containers().storage().keepersState().orElseThrow();
            assertThat(state.keepers()).hasSize(5);
            assertThat(state.spareToRead()).isEqualTo(1);
            assertThat(state.spareToWrite()).isZero();
            old.takeAway(1);
            assertThat(repository
                            .chunks()
                            .containers()
                            .storage()
                            .keepersState()
                            .orElseThrow()
                            .writable())
                    .isFalse();
            old.bringBack(1);
        }
        try (Repository repository = open(moving(OptionalLong.of(SLOW)));
                TestSession session = TestSession.open(repository)) {
            session.delete(deleted);
            assertThat(session.collect(false).problems()).isEmpty();
            assertThat(session.isThere(regions.get(39))).isFalse();
            assertRestores(repository, ids);
        }
        try (Repository repository = open(moving(OptionalLong.empty()))) {
            awaitDone();
            assertRestores(repository, ids);
            ids.add(backUp(repository, regions.subList(15, 25)));
        }
        Files.move(folder.resolve("old"), folder.resolve("gone"));
        open(moving(OptionalLong.empty())).close();
        next.takeAway(1);
        next.takeAway(4);
        try (Repository repository = open(at("next"))) {
            assertRestores(repository, ids);
        }
    }

    @Test
    void aStoreOnAHadoopFileSystemGoesToKeepersAndOnToAnother() throws IOException {
        StorePlace hadoop = new StorePlace(
                folder.resolve("repo"), Optional.of(folder.resolve("first").toUri()));
        List<Long> ids = new ArrayList<>();
        try (Repository repository = open(hadoop)) {
            ids.add(backUp(repository, regions.subList(0, 10)));
        }
        StorePlace toKeepers = from(hadoop, store("next"));
        try (Repository repository = open(toKeepers)) {
            ids.add(backUp(repository, regions.subList(5, 15)));
            awaitDone();
            assertRestores(repository, ids);
        }
        StorePlace back = from(toKeepers, folder.resolve("second").toUri());
        try (Repository repository = open(back)) {
            while (!Files.exists(folder.resolve("second/moving"))
                    || !Files.readString(folder.resolve("second/moving")).contains("state done")) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(5));
            }
            assertRestores(repository, ids);
        }
        try (Repository repository = open(new StorePlace(
                folder.resolve("repo"), Optional.of(folder.resolve("second").toUri())))) {
            assertRestores(repository, ids);
        }
    }

    private static StorePlace from(StorePlace before, URI to) {
        return new StorePlace(
                before.root(),
                Optional.of(to),
                RemoteKeepers.NONE,
                Optional.of(new StorePlace.Moved(before.uri().orElseThrow(), OptionalLong.empty())),
                S3Settings.NONE);
    }

    @Test
    void bothStoresAreToBeNamedUntilAllIsThere() throws IOException {
        try (Repository repository = open(at("old"))) {
            backUp(repository, regions.subList(0, 10));
        }
        assertThatThrownBy(() -> open(at("next")))
                .hasMessageContaining("goes with store " + store("old"))
                .hasMessageContaining("--moves-from");
        open(moving(OptionalLong.of(SLOW))).close();
        assertThatThrownBy(() -> open(at("next"))).hasMessageContaining("and that one with --moves-from");
        assertThatThrownBy(() -> open(at("old"))).hasMessageContaining("goes with store " + store("next"));
        StorePlace elsewhere = new StorePlace(folder.resolve("other"), Optional.of(store("old")));
        assertThatThrownBy(() -> open(elsewhere)).hasMessageContaining("name store " + store("next"));
        assertThat(AgentMain.run("check-keepers", "--keepers", list("old").toString()))
                .isZero();
        assertThat(AgentMain.run("check-keepers", "--keepers", list("next").toString()))
                .isZero();
        String root = folder.resolve("repo").toString();
        assertThat(AgentMain.run("rebuild-index", "--repo", root, "--moves-from", "" + store("old")))
                .isEqualTo(2);
        assertThat(AgentMain.run("rebuild-index", "--repo", root, "--store", "" + store("next"), "--move-rate", "1m"))
                .isEqualTo(2);
        assertThat(AgentMain.run(
                        "rebuild-index",
                        "--repo",
                        root,
                        "--store",
                        "" + store("next"),
                        "--moves-from",
                        "" + store("next")))
                .isEqualTo(1);
        assertThat(AgentMain.run(
                        "rebuild-index",
                        "--repo",
                        root,
                        "--store",
                        "" + store("next"),
                        "--moves-from",
                        "" + store("old")))
                .isZero();
    }

    @Test
    void aMoveBeginsOnlyIfBothStoresCanBeChanged() throws IOException {
        open(at("old")).close();
        old.takeAway(0);
        assertThatThrownBy(() -> open(moving(OptionalLong.empty()))).hasMessageContaining("bring keepers back");
        old.bringBack(0);
        open(moving(OptionalLong.empty())).close();
    }

    @Test
    void aFileThatCantBeReadStaysAndAllOthersAreMoved() throws IOException {
        long id;
        try (Repository repository = open(at("old"))) {
            id = backUp(repository, regions.subList(0, 10));
        }
        byte[][] before = new byte[2][];
        for (int keeper = 0; keeper < 2; keeper++) {
            Path shard = old.shardOf(keeper, "snapshots");
            before[keeper] = Files.readAllBytes(shard);
            byte[] damaged = before[keeper].clone();
            damaged[damaged.length - 1] ^= 1;
            Files.write(shard, damaged);
        }
        try (Repository repository = open(moving(OptionalLong.empty()))) {
            while (old.files(0).stream().anyMatch(MovedRepositoryTest::isContainer)) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(5));
            }
        }
        assertThat(isDone()).isFalse();
        for (int keeper = 0; keeper < 2; keeper++) {
            Files.write(old.shardOf(keeper, "snapshots"), before[keeper]);
        }
        try (Repository repository = open(moving(OptionalLong.empty()));
                TestSession session = TestSession.open(repository)) {
            awaitDone();
            session.assertRestores(id, regions.subList(0, 10));
        }
    }

    private static boolean isContainer(Path file) {
        return file.toString().contains("containers") && !file.toString().contains(".gone");
    }
}
