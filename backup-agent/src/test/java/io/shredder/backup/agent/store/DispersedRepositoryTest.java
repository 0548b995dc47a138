// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A repository whose containers and snapshots are coded over six keepers, of which any four give them back. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DispersedRepositoryTest {

    private static final int KEEPERS = 6;

    @TempDir
    private Path folder;

    private StorePlace place;
    private final Random random = new Random(9);
    private final List<StoredRegion> regions =
            Samples.inRegions(random, Samples.chunks(random, 220, 4000)).subList(0, 40);

    @BeforeEach
    void makeKeepers() throws IOException {
        List<String> keepers = new ArrayList<>();
        for (int i = 0; i < KEEPERS; i++) {
            keepers.add("\"" + Files.createDirectory(keeper(i)) + "\"");
        }
        Files.writeString(folder.resolve("keepers.yaml"), "data: 4\nparity: 2\nkeepers: " + keepers + "\n");
        place = at("repo");
    }

    private Path keeper(int index) {
        return folder.resolve("keeper" + index);
    }

    private StorePlace at(String repo) {
        return new StorePlace(
                folder.resolve(repo), Optional.of(URI.create("disperse:" + folder.resolve("keepers.yaml"))));
    }

    private Repository open(StorePlace at) throws IOException {
        return Repository.open(at, RepositoryIndex.defaultKeyFile(at.root()), Clock.systemUTC());
    }

    private void takeAway(int index) throws IOException {
        Files.move(keeper(index), folder.resolve("away" + index));
    }

    private void bringBack(int index) throws IOException {
        Files.move(folder.resolve("away" + index), keeper(index));
    }

    @Test
    void backupsGoOnWithAKeeperAwayAndAreRestoredWithAnotherOneAway() throws IOException {
        open(place).close();
        List<Long> ids = new ArrayList<>();
        for (int away = 0; away < KEEPERS; away++) {
            takeAway(away);
            try (Repository repository = open(place);
                    TestSession session = TestSession.open(repository)) {
                ids.add(session.backUp("vm", regions.subList(5 * away, 5 * away + 10)));
            }
            bringBack(away);
        }
        for (int away = 0; away < KEEPERS; away++) {
            takeAway(away);
            try (Repository repository = open(place)) {
                assertRestores(repository, ids);
            }
            bringBack(away);
        }
    }

    @Test
    void aRepairPaysWhatDegradedBackupsOweSoThatAnyFourKeepersRestoreAllOfThem() throws IOException {
        open(place).close();
        List<Long> ids = new ArrayList<>();
        for (int away = 0; away < KEEPERS; away++) {
            takeAway(away);
            try (Repository repository = open(place);
                    TestSession session = TestSession.open(repository)) {
                ids.add(session.backUp("vm", regions.subList(5 * away, 5 * away + 10)));
                assertThat(checkKeepers("--repair")).as("an agent runs").isEqualTo(1);
            }
            bringBack(away);
        }
        assertThat(checkKeepers()).isEqualTo(1);
        assertThat(checkKeepers("--repair")).isZero();
        assertThat(checkKeepers()).isZero();
        for (int first = 0; first < KEEPERS; first++) {
            for (int second = first + 1; second < KEEPERS; second++) {
                takeAway(first);
                takeAway(second);
                try (Repository repository = open(place)) {
                    assertRestores(repository, ids);
                }
                assertThat(checkKeepers()).as("keepers are away").isEqualTo(1);
                bringBack(first);
                bringBack(second);
            }
        }
        assertThat(AgentMain.run("check-keepers")).isEqualTo(2);
        assertThat(AgentMain.run("check-keepers", "--keepers", "nowhere.yaml")).isEqualTo(1);
        assertThat(AgentMain.run("check-keepers", "--help")).isZero();
    }

    @Test
    void aKeeperThatDiedIsReplacedAndFilledByTheCommandOrWhileBackupsGoOn() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            ids.add(session.backUp("vm", regions.subList(0, 10)));
            Files.move(keeper(3), folder.resolve("dead3"));
            Files.createDirectory(keeper(3));
            assertThat(replaceKeeper("3")).as("the agent runs").isEqualTo(1);
        }
        assertThat(replaceKeeper("3")).isZero();
        assertThat(replaceKeeper("3")).as("it has everything").isEqualTo(1);
        Files.move(keeper(5), folder.resolve("dead5"));
        Files.createDirectory(keeper(5));
        assertThat(replaceKeeper("5", "--later")).isZero();
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            ids.add(session.backUp("vm", regions.subList(5, 15)));
            while (!Files.readString(keeper(5).resolve("keeper")).contains("state whole")) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
            }
            ids.add(session.backUp("vm", regions.subList(10, 20)));
        }
        assertThat(checkKeepers()).isZero();
        takeAway(0);
        takeAway(1);
        try (Repository repository = open(place)) {
            assertRestores(repository, ids);
        }
        assertThat(AgentMain.run("replace-keeper", "--help")).isZero();
        assertThat(AgentMain.run("replace-keeper", "--place", "1")).isEqualTo(2);
        assertThat(replaceKeeper("x")).isEqualTo(2);
    }

    @Test
    void everyClientIsToldHowTheKeepersStandAndOnlyWhoLooksAfterTheStoreWhereTheyAre() throws IOException {
        try (Repository repository = open(place)) {
            takeAway(2);
            KeepersState whole = state(repository, EnumSet.of(Right.PRUNE)).orElseThrow();
            assertThat(whole.keepers().get(2).why()).isEqualTo(keeper(2) + " isn't there any more");
            assertThat(whole.keepers().get(3).home()).isEqualTo(keeper(3).toString());
            for (Right right : EnumSet.complementOf(EnumSet.of(Right.PRUNE))) {
                KeepersState some = state(repository, EnumSet.of(right)).orElseThrow();
                assertThat(some).isEqualTo(whole.withoutHomes());
                assertThat(some.keepers().get(2).condition()).isEqualTo(KeeperState.Condition.AWAY);
                assertThat(some.toString()).doesNotContain(folder.toString());
            }
            bringBack(2);
        }
        try (Repository plain = Repository.open(folder.resolve("plain"), Clock.systemUTC())) {
            assertThat(state(plain, EnumSet.of(Right.PRUNE))).isEmpty();
        }
    }

    private static Optional<KeepersState> state(Repository repository, Set<Right> rights) throws IOException {
        try (TestSession session =
                new TestSession(repository, TestSession.access(rights, OptionalLong.empty(), Duration.ZERO))) {
            return ((UpkeepAnswer.Keepers) session.ask(new UpkeepRequest.Keepers())).state();
        }
    }

    @Test
    void aContainerAndASnapshotThatNobodyCanTellAreGivenUpWithALineInTheAuditLogAndBackupsGoOn() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            ids.add(session.backUp("vm", regions.subList(0, 10)));
        }
        takeAway(1);
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            session.backUp("vm", regions.subList(5, 15));
        }
        bringBack(1);
        for (int dead : new int[] {0, 2}) {
            Files.move(keeper(dead), folder.resolve("dead" + dead));
            Files.createDirectory(keeper(dead));
        }
        assertThat(replaceKeeper("0")).isEqualTo(1);
        assertThat(replaceKeeper("2")).isEqualTo(1);
        assertThatThrownBy(() -> open(place)).hasMessageContaining("bring back keepers");
        for (int tries = 0; tries < 10 && !undecided().isEmpty(); tries++) {
            String file = undecided().get(0);
            assertThat(giveUp(file, "elsewhere")).isEqualTo(1);
            assertThat(giveUp(file, "repo")).isZero();
            assertThat(Files.readString(place.root().resolve("audit.log")))
                    .contains("\"event\":\"file-give-up\",\"file\":\"" + file + "\",\"version\":\"" + file + "@2.");
        }
        assertThat(undecided()).isEmpty();
        assertThat(giveUp("containers/00000/00000001.container", "repo"))
                .as("nobody doubts it")
                .isEqualTo(1);
        assertThat(replaceKeeper("0")).isZero();
        assertThat(replaceKeeper("2")).isZero();
        for (String command : List.of("rebuild-index", "accept-catalogue")) {
            String store = place.uri().orElseThrow().toString();
            assertThat(AgentMain.run(command, "--repo", place.root().toString(), "--store", store))
                    .as(command)
                    .isZero();
        }
        try (Repository repository = open(place)) {
            assertThat(repository.audit().problems()).isEmpty();
            assertRestores(repository, ids);
            try (TestSession session = TestSession.open(repository)) {
                ids.add(session.backUp("vm", regions.subList(5, 15)));
            }
            assertRestores(repository, ids);
        }
    }

    private List<String> undecided() throws IOException {
        try (Scrub scrub =
                Scrub.open(DispersalConfig.read(folder.resolve("keepers.yaml"), RemoteKeepers.NONE), false)) {
            return scrub.run((done, total) -> {}).unreadable().stream()
                    .map(line -> line.replaceFirst(" (may be|can be read) .*", ""))
                    .toList();
        }
    }

    private int giveUp(String file, String repo) {
        return checkKeepers("--give-up", file, "--repo", folder.resolve(repo).toString());
    }

    private int replaceKeeper(String number, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "replace-keeper", "--keepers", folder.resolve("keepers.yaml").toString(), "--place", number));
        words.addAll(List.of(options));
        return AgentMain.run(words.toArray(String[]::new));
    }

    private int checkKeepers(String... options) {
        List<String> words = new ArrayList<>(List.of(
                "check-keepers", "--keepers", folder.resolve("keepers.yaml").toString()));
        words.addAll(List.of(options));
        return AgentMain.run(words.toArray(String[]::new));
    }

    private void assertRestores(Repository repository, List<Long> ids) throws IOException {
        for (int i = 0; i < ids.size(); i++) {
            try (TestSession session = TestSession.open(repository)) {
                session.assertRestores(ids.get(i), regions.subList(5 * i, 5 * i + 10));
            }
        }
    }

    @Test
    void anyTwoKeepersMayDieAndTheAgentStillStartsAndRestores() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            for (int i = 0; i < 3; i++) {
                ids.add(session.backUp("vm", regions.subList(5 * i, 5 * i + 10)));
            }
        }
        for (int first = 0; first < KEEPERS; first++) {
            for (int second = first + 1; second < KEEPERS; second++) {
                takeAway(first);
                takeAway(second);
                try (Repository repository = open(place)) {
                    assertRestores(repository, ids);
                    try (TestSession session = TestSession.open(repository)) {
                        assertThatThrownBy(() -> session.backUp("other", regions.subList(30, 40)))
                                .hasMessageContaining("5 are needed");
                    }
                }
                bringBack(first);
                bringBack(second);
            }
        }
        takeAway(0);
        takeAway(1);
        takeAway(2);
        assertThatThrownBy(() -> open(place)).hasMessageContaining("only 3 of 6 keepers are there and 4 are needed");
    }

    /** Of its end three keepers have something: too few to read it, enough for doubts once two others are away. */
    @Test
    void whatADeadAgentLeftBehindWhatCountsIsInNobodysWayOnceTheNextOneStarted() throws IOException {
        long id = leaveAnEnd(Set.of(1, 2, 5));
        assertThat(checkKeepers()).as("it goes on behind what counts").isEqualTo(1);
        open(place).close();
        assertThat(checkKeepers()).isZero();
        assertAnyFourRestore(id);
    }

    @Test
    void whatADeadAgentLeftBehindWhatCountsIsTakenAwayByARepair() throws IOException {
        long id = leaveAnEnd(Set.of(0, 3, 4));
        assertThat(checkKeepers("--repair")).isZero();
        assertThat(checkKeepers()).isZero();
        assertAnyFourRestore(id);
    }

    /** As disks of which the power failed leave it: all have the end of the last write, and too few have it sound. */
    @Test
    void anEndThatIsWholeAtTooFewKeepersIsGoneOnceTheNextAgentStarted() throws IOException {
        long id = leaveAnEnd(Set.of(0, 1, 2, 3, 4, 5));
        for (int index : List.of(0, 2, 5)) {
            Path shard = growing(keeper(index));
            byte[] bytes = Files.readAllBytes(shard);
            bytes[bytes.length - 1] ^= 1;
            Files.write(shard, bytes);
        }
        assertThat(checkKeepers()).as("it is whole at three").isEqualTo(1);
        open(place).close();
        assertThat(checkKeepers()).isZero();
        assertAnyFourRestore(id);
    }

    /** Returns what was committed before the agent died in a write, of which so many keepers got something. */
    private long leaveAnEnd(Set<Integer> longer) throws IOException {
        long id;
        Path then = folder.resolve("then");
        List<Path> live = new ArrayList<>(List.of(place.root()));
        IntStream.range(0, KEEPERS).mapToObj(this::keeper).forEach(live::add);
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            id = session.backUp("vm", regions.subList(0, 10));
            Files.createDirectory(then);
            for (Path each : live) {
                copy(each, then.resolve(folder.relativize(each)));
            }
            session.backUp("vm", regions.subList(10, 20));
        }
        for (int index : longer) {
            Path shard = growing(keeper(index));
            Path before = then.resolve(folder.relativize(shard));
            assertThat(Files.size(shard)).isGreaterThan(Files.size(before));
            Files.copy(shard, before, StandardCopyOption.REPLACE_EXISTING);
        }
        for (Path each : live) {
            MoreFiles.deleteRecursively(each, RecursiveDeleteOption.ALLOW_INSECURE);
            Files.move(then.resolve(folder.relativize(each)), each);
        }
        return id;
    }

    private static Path growing(Path keeper) throws IOException {
        try (Stream<Path> files = Files.walk(keeper)) {
            return files.filter(file -> file.toString().endsWith(".growing"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private void assertAnyFourRestore(long id) throws IOException {
        for (List<Integer> dead : RemovableFolders.choices(KEEPERS, 2)) {
            for (int index : dead) {
                takeAway(index);
            }
            try (Repository repository = open(place)) {
                assertRestores(repository, List.of(id));
            }
            for (int index : dead) {
                bringBack(index);
            }
        }
    }

    @Test
    void anotherFolderTakesEverythingFromTheKeepers() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            ids.add(session.backUp("vm", regions.subList(0, 10)));
            ids.add(session.backUp("vm", regions.subList(5, 15)));
        }
        takeAway(4);
        StorePlace elsewhere = at("new");
        String uri = elsewhere.uri().orElseThrow().toString();
        assertThat(AgentMain.run("rebuild-index", "--repo", elsewhere.root().toString(), "--store", uri))
                .isZero();
        try (Repository repository = open(elsewhere)) {
            assertRestores(repository, ids);
        }
    }

    @Test
    void whatNoSnapshotNeedsIsCollected() throws IOException {
        long second;
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            long first = session.backUp("vm", regions.subList(0, 30));
            second = session.backUp("vm", regions.subList(20, 40));
            session.delete(first);
            assertThat(session.collect(false).problems()).isEmpty();
            assertThat(session.isThere(regions.get(0))).isFalse();
            session.assertRestores(second, regions.subList(20, 40));
        }
        takeAway(2);
        try (Repository repository = open(place);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(second, regions.subList(20, 40));
        }
    }

    @Test
    void aMistakeInTheFileIsNamed() throws IOException {
        Files.writeString(folder.resolve("keepers.yaml"), "data: 4\nparity: 3\nkeepers: [/a]\n");
        assertThatThrownBy(() -> open(place))
                .hasMessageContaining("keepers.yaml:3:")
                .hasMessageContaining("1 keepers");
        StorePlace relative = new StorePlace(folder.resolve("other"), Optional.of(URI.create("disperse:k.yaml")));
        assertThatThrownBy(() -> open(relative)).hasMessageContaining("name the file by its whole path");
    }
}
