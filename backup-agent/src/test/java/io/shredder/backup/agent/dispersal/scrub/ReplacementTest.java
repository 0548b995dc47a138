// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.shard.Checks;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.DiskImage.Loss;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplacementTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final String GONE = "snapshots/site1/vm/0000000000000002.snapshot";
    private static final String SMALL = "highest-id";
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-26T09:00:00.5Z"), ZoneOffset.UTC);

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());

    private ByteBuffer bytes(int length) {
        return ByteBuffer.wrap(Samples.randomBytes(random, length));
    }

    private void publish(DispersedStorage storage, String name, ByteBuffer bytes) throws IOException {
        storage.publish(Files.write(folder.resolve("draft"), bytes.array()), name);
    }

    private TreeMap<String, ByteBuffer> fill(DispersedStorage storage, int length) throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        ByteBuffer container = bytes(length);
        try (AppendableFile file = storage.create(CONTAINER, container.slice(0, 64))) {
            file.append(container.slice(64, length / 2));
            file.force();
            file.append(container.slice(64 + length / 2, length - 64 - length / 2));
            file.force();
        }
        kept.put(CONTAINER, container);
        kept.put(SNAPSHOT, bytes(length));
        publish(storage, SNAPSHOT, kept.get(SNAPSHOT));
        publish(storage, GONE, bytes(length));
        storage.delete(GONE);
        kept.put(SMALL, bytes(24));
        storage.replace(SMALL, kept.get(SMALL).duplicate());
        return kept;
    }

    private static RebuildReport replace(RemovableFolders folders, int place) throws IOException {
        try (Replacement replacement = Replacement.open(folders.config(), place, CLOCK)) {
            return replacement.run((done, total) -> {});
        }
    }

    private static void replaceWholly(RemovableFolders folders, int place) throws IOException {
        RebuildReport report = replace(folders, place);
        assertThat(report.whole()).as("%s", report).isTrue();
    }

    private static void assertReads(DispersedStorage storage, Map<String, ByteBuffer> kept, String when)
            throws IOException {
        assertThat(storage.list(""))
                .as(when)
                .extracting(StoredFile::name)
                .containsExactlyInAnyOrderElementsOf(kept.keySet());
        for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
            assertThat(storage.read(file.getKey()))
                    .as("%s: %s", when, file.getKey())
                    .contains(file.getValue());
        }
    }

    private static void assertEveryChoiceRestores(RemovableFolders folders, Map<String, ByteBuffer> kept)
            throws IOException {
        for (List<Integer> those : RemovableFolders.choices(folders.count(), folders.data())) {
            List<Integer> away = folders.takeAwayAllBut(those);
            try (DispersedStorage storage = folders.open()) {
                assertReads(storage, kept, "of " + those);
            }
            folders.bringBack(away);
        }
    }

    private static boolean isWhole(Path keeper) throws IOException {
        return Keeper.identityOf(new LocalHome(keeper)).orElseThrow().whole();
    }

    private RemovableFolders filled(Path root, int data, int parity, TreeMap<String, ByteBuffer> kept, int length)
            throws IOException {
        RemovableFolders folders = RemovableFolders.make(root, data, parity);
        try (DispersedStorage storage = folders.open()) {
            kept.putAll(fill(storage, length));
        }
        return folders;
    }

    @InTurn(days = 3)
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 2", "4, 2", "5, 3", "1, 2"})
    void everyPlaceIsFilledAndThenEveryChoiceOfKeepersRestores(int data, int parity) throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, data, parity, kept, 700_000);
        for (int place = 0; place < folders.count(); place++) {
            List<String> files =
                    folders.files(place).stream().map(Path::toString).toList();
            folders.exchange(place, "old" + place);
            replaceWholly(folders, place);
            assertThat(folders.files(place)).extracting(Path::toString).containsExactlyElementsOf(files);
            for (Path file : folders.files(place)) {
                Path old = folder.resolve("old" + place)
                        .resolve(folders.keeper(place).relativize(file));
                assertThat(file).hasSameBinaryContentAs(old);
            }
        }
        assertEveryChoiceRestores(folders, kept);
        try (Scrub scrub = Scrub.open(folders.config(), false)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        try (DispersedStorage storage = folders.open()) {
            kept.put(SMALL, bytes(30));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        assertEveryChoiceRestores(folders, kept);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "4, 2", "5, 3"})
    void asManyMayBeMissingAsThereIsParityAndOneMoreIsRefused(int data, int parity) throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, data, parity, kept, 20_000);
        for (int others = 1; others < parity; others++) {
            folders.takeAway(others);
        }
        folders.exchange(0, "old");
        folders.takeAway(parity);
        assertThatThrownBy(() -> replace(folders, 0))
                .hasMessage("only " + (data - 1) + " of " + (data + parity) + " keepers are there and " + data
                        + " are needed to replace keeper 0: bring more back");
        assertThat(folders.keeper(0).resolve("keeper")).doesNotExist();
        folders.bringBack(parity);
        replaceWholly(folders, 0);
        for (int others = 1; others < parity; others++) {
            folders.bringBack(others);
        }
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void aKeeperThatWasReplacedAndComesBackCountsForNothingAndIsNamed() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 20_000);
        folders.exchange(0, "old");
        replaceWholly(folders, 0);
        try (DispersedStorage storage = folders.open()) {
            kept.put(SMALL, bytes(40));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
            storage.delete(SNAPSHOT);
            kept.remove(SNAPSHOT);
        }
        folders.putBack(0, "old", "new");
        List<Path> files = folders.files(0);
        byte[] writer = Files.readAllBytes(folders.keeper(0).resolve("writer"));
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().get(0)).isEmpty();
            assertThat(storage.keepers().whyAway(0))
                    .contains(folders.keeper(0) + " was replaced on 2026-11-26T09:00:00Z, as keeper 1 (")
                    .contains("take it out");
            assertReads(storage, kept, "old in place of new");
            kept.put(SMALL, bytes(41));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        assertThat(folders.files(0)).isEqualTo(files);
        assertThat(folders.keeper(0).resolve("writer")).hasBinaryContent(writer);
        assertThatThrownBy(() -> replace(folders, 0)).hasMessageContaining("was replaced on 2026-11-26T09:00:00Z");
        try (Scrub scrub = Scrub.open(folders.config(), true)) {
            assertThat(scrub.run((done, total) -> {}).away().get(0)).contains("was replaced on");
        }
        // With one other alone they would be enough to read by.
        folders.takeAwayAllBut(List.of(0, 2));
        assertThatThrownBy(folders::open)
                .hasMessageContaining("only 1 of 4 keepers are there and 2 are needed")
                .hasMessageContaining("was replaced on");
    }

    @Test
    void oldKeepersThatWouldBeAMajorityCantTakeTheStoreOver() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 20_000);
        // 3 is away all the time, and knows of no replacement.
        folders.takeAway(3);
        folders.exchange(0, "old0");
        replaceWholly(folders, 0);
        folders.exchange(1, "old1");
        replaceWholly(folders, 1);
        try (DispersedStorage storage = folders.open()) {
            kept.put(SMALL, bytes(40));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        folders.putBack(0, "old0", "new0");
        folders.putBack(1, "old1", "new1");
        folders.bringBack(3);
        folders.takeAway(2);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().get(0))
                    .as("old 1 knows of its replacement")
                    .isEmpty();
            assertThat(storage.isReadOnly()).isTrue();
        }
        folders.bringBack(2);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().away().toString())
                    .as("2 knows of both")
                    .isEqualTo("{0, 1}");
            assertThat(storage.isReadOnly()).isTrue();
            assertReads(storage, kept, "of 2 and 3");
        }
    }

    @Test
    void onePlaceMayBeReplacedAgainAndAgain() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 1, kept, 20_000);
        for (int i = 0; i < 3; i++) {
            folders.exchange(1, "old" + i);
            replaceWholly(folders, 1);
        }
        for (int i = 0; i < 3; i++) {
            folders.putBack(1, "old" + i, "newest");
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.keepers().get(1)).as("old %d", i).isEmpty();
            }
            folders.putBack(1, "newest", "old" + i);
        }
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void foldersThatAreNotEmptyOrOthersKeepersAreRefusedByName() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder.resolve("one"), 2, 2, kept, 2000);
        RemovableFolders others = filled(folder.resolve("two"), 2, 2, new TreeMap<>(), 2000);
        assertThatThrownBy(() -> replace(folders, 0))
                .hasMessageContaining(folders.keeper(0) + " is keeper 0, and has everything");
        assertThatThrownBy(() -> replace(folders, 4)).hasMessage("there is no place 4: name one of 0 to 3");
        assertThatThrownBy(() -> replace(folders, -1)).hasMessageContaining("there is no place -1");
        Path fresh = folder.resolve("fresh");
        assertThatThrownBy(() -> replaceBy(folders, 0, fresh)).hasMessageContaining("isn't there: make it");
        Files.createDirectory(fresh);
        Files.writeString(fresh.resolve("letter"), "x");
        assertThatThrownBy(() -> replaceBy(folders, 0, fresh))
                .hasMessageContaining(fresh + " is not empty: " + fresh.resolve("letter"));
        Files.delete(fresh.resolve("letter"));
        Files.createDirectories(fresh.resolve("files"));
        Files.writeString(fresh.resolve("files/x"), "x");
        assertThatThrownBy(() -> replaceBy(folders, 0, fresh))
                .hasMessageContaining("a keeper's " + fresh.resolve("files/x"));
        assertThatThrownBy(() -> replaceBy(folders, 0, others.keeper(0)))
                .hasMessageContaining("is a keeper of another store");
        Path own = Files.move(folders.keeper(0), folder.resolve("own"));
        Files.createSymbolicLink(folders.keeper(0), folders.keeper(1));
        assertThatThrownBy(() -> replace(folders, 0)).hasMessageContaining("are the same folder");
        assertThatThrownBy(() -> replaceBy(folders, 1, own)).hasMessageContaining("is keeper 0 of this store");
        Files.delete(folders.keeper(0));
        Files.move(own, folders.keeper(0));
        Files.delete(fresh.resolve("files/x"));
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> replaceBy(folders, 0, fresh)).hasMessageContaining("in use");
            assertReads(storage, kept, "nothing has happened");
        }
        assertThat(fresh.resolve("keeper")).doesNotExist();
        for (RemovableFolders each : List.of(folders, others)) {
            for (int i = 0; i < 4; i++) {
                assertThat(Keeper.identityOf(each.home(i))
                                .orElseThrow()
                                .replacements()
                                .places())
                        .isEmpty();
            }
        }
    }

    private static void replaceBy(RemovableFolders folders, int place, Path other) throws IOException {
        List<KeeperHome> keepers = new ArrayList<>(folders.config().keepers());
        keepers.set(place, new LocalHome(other));
        DispersalConfig config = new DispersalConfig(folders.data(), folders.parity(), keepers);
        Replacement.open(config, place, CLOCK).close();
    }

    @Test
    void twoThatWereReplacedApartFromOneAnotherAreRefused() throws IOException {
        RemovableFolders folders = filled(folder, 1, 1, new TreeMap<>(), 2000);
        // Each half is given another half, which nobody can keep one from doing.
        folders.exchange(0, "old0");
        replaceWholly(folders, 0);
        folders.putBack(0, "old0", "new0");
        folders.exchange(1, "old1");
        replaceWholly(folders, 1);
        folders.putBack(0, "new0", "old0");
        assertThatThrownBy(folders::open).hasMessageContaining("know of different replacements");
    }

    @Test
    void whileAKeeperIsFilledItGetsWhatIsWrittenAndCountsForNothingElse() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 1, kept, 20_000);
        folders.exchange(0, "old");
        interrupt(folders, 0, 1);
        assertThat(isWhole(folders.keeper(0))).isFalse();
        try (DispersedStorage storage = folders.open()) {
            assertReads(storage, kept, "half filled");
            kept.put(SNAPSHOT, bytes(300_000));
            publish(storage, SNAPSHOT, kept.get(SNAPSHOT));
            kept.put(GONE, bytes(3000));
            publish(storage, GONE, kept.get(GONE));
            kept.put(SMALL, bytes(33));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        folders.takeAway(1);
        assertThatThrownBy(folders::open)
                .hasMessage("only 1 of 3 keepers are there and 2 are needed: bring more back; 1 more are new and not"
                        + " filled yet");
        folders.bringBack(1);
        folders.takeAway(0);
        try (DispersedStorage storage = folders.open()) {
            assertReads(storage, kept, "without it");
        }
        folders.bringBack(0);
        replaceWholly(folders, 0);
        assertEveryChoiceRestores(folders, kept);
    }

    /** Takes a folder in and stops once so many bytes are written. */
    private static void interrupt(RemovableFolders folders, int place, long most) throws IOException {
        try (Replacement replacement = Replacement.open(folders.config(), place, CLOCK)) {
            assertThatThrownBy(() -> replacement.run((done, total) -> {
                        if (done >= most) {
                            throw new IllegalStateException("stop");
                        }
                    }))
                    .hasMessage("stop");
        }
    }

    @Test
    void whatNobodyCanTellWhileAnotherKeeperIsAwayIsNotTakenAwayAndFilledLater() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        folders.takeAway(1);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 20_000);
        }
        folders.bringBack(1);
        // 0, 2 and 3 have it. 0 dies, and 2 is away: of what was acknowledged 3 alone has a shard.
        folders.exchange(0, "old");
        folders.takeAway(2);
        RebuildReport report = replace(folders, 0);
        assertThat(report.whole()).isFalse();
        assertThat(report.left().toString()).contains(CONTAINER + " may be at more than the 1", "bring back keepers");
        assertThat(isWhole(folders.keeper(0))).isFalse();
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.read(SNAPSHOT)).hasMessageContaining("bring back keepers");
        }
        folders.bringBack(2);
        replaceWholly(folders, 0);
        try (Scrub scrub = Scrub.open(folders.config(), true)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void aPlaceThatIsFilledHalfMayBeReplacedAgainAndAnotherMayDieMeanwhile() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 4, 2, kept, 700_000);
        folders.exchange(2, "old");
        interrupt(folders, 2, 1);
        // The new disk dies, too.
        folders.exchange(2, "second");
        interrupt(folders, 2, 1);
        folders.exchange(5, "other");
        replaceWholly(folders, 5);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().get(2).orElseThrow().isWhole()).isFalse();
            kept.put(SMALL, bytes(33));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        replaceWholly(folders, 2);
        assertEveryChoiceRestores(folders, kept);
        folders.putBack(2, "second", "third");
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().get(2)).isEmpty();
        }
    }

    @Test
    void aLiarDoesNotTellANewKeeperWhatToKeep() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 2000);
        folders.exchange(3, "old");
        Path shard = folders.shardOf(0, "snapshot");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(shard));
        int headBytes = GroupFrame.headBytes(4);
        GroupFrame frame = GroupFrame.decoded(2, 4, bytes.slice(ShardHeader.BYTES, headBytes))
                .orElseThrow()
                .frame();
        ByteBuffer cell = bytes.slice(ShardHeader.BYTES + headBytes, frame.cellBytes());
        cell.put(7, (byte) ~cell.get(7));
        bytes.put(ShardHeader.BYTES, frame.encoded(cell).array());
        Files.write(shard, bytes.array());
        Path copy = folders.shardOf(0, SMALL);
        ByteBuffer lie = ByteBuffer.wrap(Files.readAllBytes(copy));
        lie.put(ShardHeader.BYTES, (byte) ~lie.get(ShardHeader.BYTES));
        Checks.digest(lie.slice(ShardHeader.BYTES, 24)).write(lie.position(ShardHeader.BYTES + 24));
        Files.write(copy, lie.array());
        replaceWholly(folders, 3);
        for (Path file : folders.files(3)) {
            Path old = folder.resolve("old").resolve(folders.keeper(3).relativize(file));
            assertThat(file).hasSameBinaryContentAs(old);
        }
    }

    @Test
    void theEndThatADeadAgentLeftDoesNotKeepAKeeperFromBeingFilled() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        ByteBuffer all = bytes(3000);
        long[] ends = new long[3];
        try (DispersedStorage storage = folders.open();
                AppendableFile file = storage.create(CONTAINER, all.slice(0, 1000))) {
            for (int i = 0; i < 3; i++) {
                ends[i] = Files.size(folders.files(i).get(0));
            }
            file.append(all.slice(1000, 2000));
            file.force();
        }
        // Of the last group one sound cell is left, at 1.
        Path torn = folders.files(2).get(0);
        byte[] bytes = Files.readAllBytes(torn);
        bytes[(int) ends[2] + GroupFrame.headBytes(3) + 5] ^= 1;
        Files.write(torn, bytes);
        folders.exchange(0, "old");
        replaceWholly(folders, 0);
        assertThat(Files.size(folders.files(0).get(0))).isEqualTo(ends[0]);
        try (DispersedStorage storage = folders.open()) {
            storage.endWriting(CONTAINER);
            storage.force(CONTAINER);
        }
        assertEveryChoiceRestores(folders, Map.of(CONTAINER, all.slice(0, 1000)));
    }

    @Test
    void anyDamageOfTheFileThatSaysWhichKeeperItIsLeavesTheKeeperOutAndIsNamedWithItsPlace() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 2000);
        folders.exchange(1, "old");
        replaceWholly(folders, 1);
        for (int damaged = 0; damaged < 2; damaged++) {
            Path file = folders.keeper(damaged).resolve("keeper");
            byte[] sound = Files.readAllBytes(file);
            for (int at = 0; at < sound.length; at++) {
                if (!LongTests.tries(random, 4)) {
                    continue;
                }
                byte[] flipped = sound.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, flipped);
                String where = damaged + ", flip at " + at;
                try (DispersedStorage storage = folders.open()) {
                    assertThat(storage.keepers().get(damaged)).as(where).isEmpty();
                    assertThat(storage.keepers().whyAway(damaged)).as(where).contains(file + ": damaged at offset ");
                }
            }
            // A keeper that was replaced can't be told from the one before: it is replaced again.
            try (Scrub scrub = Scrub.open(folders.config(), true)) {
                ScrubReport report = scrub.run((done, total) -> {});
                assertThat(report.findings()).hasSize(1);
                assertThat(report.findings().get(0).mended()).isEqualTo(damaged == 0);
            }
            if (damaged == 0) {
                assertThat(file).hasBinaryContent(sound);
            }
        }
        folders.exchange(1, "rotten");
        replaceWholly(folders, 1);
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void aPowerLossAtAnyChangeOfAReplacementLeavesTheOldStateOrOneThatTheNextRunEnds() throws IOException {
        RecordedFiles files = new RecordedFiles(Files.createDirectory(folder.resolve("lived")));
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders lived = filled(files.root(), 2, 2, kept, 3000);
        Path old = copy(lived.keeper(1), folder.resolve("old"));
        empty(lived.keeper(1));
        files.mark("replacing");
        replaceWholly(lived, 1);
        DiskImage disk = new DiskImage();
        boolean replacing = false;
        int deaths = 0;
        int begun = 0;
        for (DiskChange change : files.changes()) {
            disk.apply(change);
            replacing |= change instanceof DiskChange.Mark;
            if (!replacing) {
                continue;
            }
            for (Loss loss : List.of(Loss.ALL_UNFORCED, Loss.TORN_LAST_WRITE, Loss.ANY_UNFORCED)) {
                if (!LongTests.tries(random, 3)) {
                    continue;
                }
                Path left = folder.resolve("left" + deaths++);
                disk.writeTo(left, loss, random);
                RemovableFolders folders = RemovableFolders.make(left, 2, 2);
                String when = "death " + deaths + " " + loss;
                begun += Keeper.identityOf(folders.home(1)).isPresent() ? 1 : 0;
                switch (random.nextInt(4)) {
                    case 0 -> { // The old disk is found to be sound, and put back: it counts, or is refused, never
                        // both.
                        copy(old, left.resolve("old"));
                        folders.putBack(1, "old", "new");
                        try (DispersedStorage storage = folders.open()) {
                            assertReads(storage, kept, when);
                        }
                        folders.putBack(1, "new", "old");
                    }
                    case 1 -> folders.exchange(1, "newer"); // The new disk dies, too.
                    case 2 -> { // The agent is started before.
                        try (DispersedStorage storage = folders.open()) {
                            assertReads(storage, kept, when);
                            storage.replace(SMALL, kept.get(SMALL).duplicate());
                        }
                    }
                    default -> {}
                }
                if (Keeper.identityOf(folders.home(1))
                        .filter(KeeperIdentity::whole)
                        .isEmpty()) {
                    replaceWholly(folders, 1);
                }
                List<Integer> away = folders.takeAwayAllBut(List.of(1, random.nextBoolean() ? 0 : 3));
                try (DispersedStorage storage = folders.open()) {
                    assertReads(storage, kept, when);
                }
                folders.bringBack(away);
                try (DispersedStorage storage = folders.open()) {
                    assertThat(storage.keepers().get(1).orElseThrow().isWhole())
                            .as(when)
                            .isTrue();
                    assertReads(storage, kept, when);
                }
            }
        }
        assertThat(begun).isBetween(5, deaths - 5);
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
        return to;
    }

    private static void empty(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(root)) {
                    Files.delete(each);
                    DurableFiles.forceFolder(DurableFiles.folderOf(each));
                }
            }
        }
    }

    @Test
    void aRunThatIsStoppedEndsSoonAndIsGoneOnWith() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 20_000);
        folders.exchange(0, "old");
        interrupt(folders, 0, 1);
        try (DispersedStorage storage = folders.open()) {
            Rebuild rebuild = new Rebuild(storage, storage.keepers().get(0).orElseThrow(), (done, total) -> {});
            rebuild.stop();
            assertThatThrownBy(rebuild::run).isInstanceOf(InterruptedIOException.class);
            assertThat(isWhole(folders.keeper(0))).isFalse();
            Rebuild again = new Rebuild(storage, storage.keepers().get(0).orElseThrow(), (done, total) -> {});
            assertThat(again.run().whole()).isTrue();
            assertThat(again.run().files()).as("nothing is lacking").isZero();
        }
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void aCheckThatRepairsFillsANewKeeper() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 20_000);
        folders.exchange(0, "old");
        interrupt(folders, 0, 1);
        try (Scrub scrub = Scrub.open(folders.config(), false)) {
            ScrubReport report = scrub.run((done, total) -> {});
            assertThat(report.isSound()).isFalse();
            assertThat(report.findings()).isNotEmpty().allMatch(each -> each.keeper() == 0 && each.owed());
            assertThat(report.filling()).containsOnlyKeys(0);
            assertThat(report.unreadable()).isEmpty();
        }
        assertThat(isWhole(folders.keeper(0))).isFalse();
        try (Scrub scrub = Scrub.open(folders.config(), true)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        assertThat(isWhole(folders.keeper(0))).isTrue();
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void aMarkOfADeletionThatIsUnderWayIsNotGivenToTheKeeperThatIsFilled() throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 20_000);
        folders.takeAway(1);
        String name = kept.keySet().stream()
                .filter(each -> each.startsWith("snapshots"))
                .findFirst()
                .orElseThrow();
        try (DispersedStorage storage = folders.open()) {
            storage.delete(name);
        }
        List<Path> marks = Stream.of(marks(folders, 0), marks(folders, 2), marks(folders, 3))
                .flatMap(List::stream)
                .toList();
        assertThat(marks).as("a keeper that is away needs them").hasSize(3);
        List<byte[]> bytes = new ArrayList<>();
        for (Path mark : marks) {
            bytes.add(Files.readAllBytes(mark));
        }
        folders.bringBack(1);
        folders.open().close();
        assertThat(marks).allMatch(Files::notExists);

        folders.exchange(1, "old");
        Replacement.open(folders.config(), 1, CLOCK).close();
        try (DispersedStorage storage = folders.open()) {
            for (int i = 0; i < marks.size(); i++) {
                Files.createDirectories(marks.get(i).getParent());
                Files.write(marks.get(i), bytes.get(i)); // As they are until the last keeper has its own.
            }
            Keeper keeper = storage.keepers().get(1).orElseThrow();
            assertThat(new Rebuild(storage, keeper, (done, total) -> {}).run().whole())
                    .isTrue();
        }
        assertThat(marks(folders, 1)).isEmpty();
    }

    private static List<Path> marks(RemovableFolders folders, int keeper) throws IOException {
        return folders.files(keeper).stream()
                .filter(file -> file.toString().endsWith(".gone"))
                .toList();
    }

    @Test
    void aKeeperIsFilledWhileTheStoreIsWrittenDeletedAndReplaced() throws Exception {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        List<String> names = new ArrayList<>();
        try (DispersedStorage storage = folders.open()) {
            kept.putAll(fill(storage, 20_000));
            for (int i = 0; i < 60; i++) {
                names.add(String.format(Locale.ROOT, "snapshots/site1/vm/%016d.snapshot", 10 + i));
                kept.put(names.get(i), bytes(1 + random.nextInt(200_000)));
                publish(storage, names.get(i), kept.get(names.get(i)));
            }
        }
        folders.exchange(1, "old");
        Replacement.open(folders.config(), 1, CLOCK).close();
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), Duration.ofMillis(1));
            Keeper keeper = storage.keepers().get(1).orElseThrow();
            int changes = 0;
            while (!keeper.isWhole() || changes < 100) {
                String name = names.get(random.nextInt(names.size()));
                if (random.nextBoolean() && kept.containsKey(name)) {
                    storage.delete(name);
                    kept.remove(name);
                } else {
                    kept.put(name, bytes(1 + random.nextInt(5000)));
                    publish(storage, name, kept.get(name));
                }
                changes++;
            }
            assertReads(storage, kept, "while it runs");
        }
        try (Scrub scrub = Scrub.open(folders.config(), false)) {
            ScrubReport report = scrub.run((done, total) -> {});
            assertThat(report.isSound()).as("%s", report).isTrue();
        }
        List<String> there = folders.files(1).stream()
                .map(file -> folders.keeper(1).relativize(file).toString())
                .toList();
        assertThat(folders.files(0).stream()
                        .map(file -> folders.keeper(0).relativize(file).toString()))
                .as("nothing is left that nobody else has")
                .containsExactlyElementsOf(there);
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void whatCantBeFilledYetIsTriedAgainAndClosingEndsIt() throws Exception {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        RemovableFolders folders = filled(folder, 2, 2, kept, 20_000);
        folders.exchange(0, "old");
        Replacement.open(folders.config(), 0, CLOCK).close();
        // Of two of three others' shards a cell is wrong: the agent can't read it, and may have it repaired.
        List<Path> shards = List.of(folders.shardOf(1, "container"), folders.shardOf(2, "container"));
        List<byte[]> sound = new ArrayList<>();
        for (Path shard : shards) {
            byte[] bytes = Files.readAllBytes(shard);
            sound.add(bytes.clone());
            bytes[ShardHeader.BYTES + GroupFrame.headBytes(4) + 3] ^= 1;
            Files.write(shard, bytes);
        }
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), Duration.ofDays(1));
            while (folders.files(0).stream().noneMatch(file -> file.toString().contains("snapshot@"))
                    && folders.files(0).stream()
                            .noneMatch(file -> file.toString().endsWith(".coded"))) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
            }
        }
        assertThat(isWhole(folders.keeper(0))).isFalse();
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), Duration.ofMillis(1));
            Files.write(shards.get(0), sound.get(0));
            Keeper keeper = storage.keepers().get(0).orElseThrow();
            while (!keeper.isWhole()) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
            }
        }
        Files.write(shards.get(1), sound.get(1));
        assertEveryChoiceRestores(folders, kept);
    }
}
