// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.Copies;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.SlowHome;
import io.shredder.backup.agent.dispersal.shard.Checks;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.DiskImage.Loss;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
class ScrubTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final String SMALL = "highest-id";

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());

    private ByteBuffer bytes(int length) {
        return ByteBuffer.wrap(Samples.randomBytes(random, length));
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
        ByteBuffer snapshot = bytes(length);
        storage.publish(Files.write(folder.resolve("draft"), snapshot.array()), SNAPSHOT);
        kept.put(SNAPSHOT, snapshot);
        ByteBuffer small = bytes(24);
        storage.replace(SMALL, small.duplicate());
        kept.put(SMALL, small);
        return kept;
    }

    private static ScrubReport scrub(RemovableFolders folders, boolean mends) throws IOException {
        try (Scrub scrub = Scrub.open(folders.config(), mends)) {
            return scrub.run((done, total) -> {});
        }
    }

    private static void assertEveryChoiceRestores(RemovableFolders folders, Map<String, ByteBuffer> kept)
            throws IOException {
        for (List<Integer> those : RemovableFolders.choices(folders.count(), folders.data())) {
            List<Integer> away = folders.takeAwayAllBut(those);
            try (DispersedStorage storage = folders.open()) {
                for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
                    assertThat(storage.read(file.getKey()))
                            .as("%s of %s", file.getKey(), those)
                            .contains(file.getValue());
                }
            }
            folders.bringBack(away);
        }
    }

    /** All that a keeper has but the lock and the epoch, which each start changes. */
    private static TreeMap<String, Fingerprint> state(RemovableFolders folders, int keeper) throws IOException {
        TreeMap<String, Fingerprint> state = new TreeMap<>();
        Path root = folders.keeper(keeper);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString();
                if (!name.equals("lock") && !name.equals("writer")) {
                    state.put(name, Fingerprint.ofData(ByteBuffer.wrap(Files.readAllBytes(file))));
                }
            }
        }
        return state;
    }

    private static List<TreeMap<String, Fingerprint>> states(RemovableFolders folders) throws IOException {
        List<TreeMap<String, Fingerprint>> states = new ArrayList<>();
        for (int i = 0; i < folders.count(); i++) {
            states.add(state(folders, i));
        }
        return states;
    }

    @Test
    void aFlipOfAnyByteOfAnyFileOfAKeeperIsFoundByItsOffsetAndMended() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 200);
        }
        assertThat(scrub(folders, false).isSound()).isTrue();
        List<TreeMap<String, Fingerprint>> before = states(folders);
        int blockBytes = GroupFrame.BLOCK_BYTES;
        for (String name : before.get(1).keySet()) {
            Path file = folders.keeper(1).resolve(name);
            FileTime modified = Files.getLastModifiedTime(file);
            byte[] sound = Files.readAllBytes(file);
            for (int at = 0; at < sound.length; at++) {
                if (!LongTests.tries(random, 8)) {
                    continue;
                }
                byte[] flipped = sound.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, flipped);
                String where = name + ", flip at " + at;
                ScrubReport found = scrub(folders, false);
                assertThat(found.isSound()).as(where).isFalse();
                assertThat(found.findings()).as(where).hasSize(1);
                KeeperFinding finding = found.findings().get(0);
                assertThat(finding.file()).as(where).isEqualTo(file.toString());
                assertThat(finding.keeper()).as(where).isEqualTo(1);
                assertThat(finding.owed() || finding.mended()).as(where).isFalse();
                assertThat(finding.offset()).as(where).isBetween(0L, (long) at);
                assertThat(at - finding.offset()).as(where).isLessThan(blockBytes);
                assertThat(Files.readAllBytes(file)).as(where).isEqualTo(flipped);

                ScrubReport mended = scrub(folders, true);
                assertThat(mended.isSound()).as("%s: %s", where, mended).isTrue();
                assertThat(Files.readAllBytes(file)).as(where).isEqualTo(sound);
            }
            if (name.startsWith("files/")) {
                assertThat(Files.getLastModifiedTime(file))
                        .isLessThan(FileTime.from(modified.toInstant().plusMillis(500)));
            }
        }
        assertThat(states(folders)).isEqualTo(before);
    }

    @Test
    void aFlipInTheFileThatSaysWhoHasWrittenIsFoundAndMended() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 1000);
        }
        for (int i = 0; i < 2; i++) {
            Path file = folders.keeper(i).resolve("writer");
            byte[] damaged = Files.readAllBytes(file);
            damaged[random.nextInt(damaged.length)] ^= (byte) 0x80;
            Files.write(file, damaged);
        }
        ScrubReport found = scrub(folders, false);
        assertThat(found.findings()).extracting(KeeperFinding::keeper).containsExactly(0, 1);
        assertThat(found.away()).containsOnlyKeys(0, 1);
        assertThat(scrub(folders, true).isSound()).isTrue();
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().epoch()).isEqualTo(3);
            assertThat(storage.keepers().away().isEmpty()).isTrue();
        }
        assertEveryChoiceRestores(folders, kept);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "4, 2", "5, 3"})
    void damageOfAsManyKeepersAsThereIsParityIsMendedAndEveryChoiceRestores(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 3_000_000);
        }
        List<TreeMap<String, Fingerprint>> before = states(folders);
        List<List<Integer>> choices = RemovableFolders.choices(folders.count(), parity);
        for (List<Integer> those : choices) {
            if (choices.size() > 6 && !LongTests.tries(random, 4)) {
                continue;
            }
            int damaged = 0;
            for (int keeper : those) {
                for (Path file : folders.files(keeper)) {
                    damage(file);
                    damaged++;
                }
            }
            ScrubReport found = scrub(folders, false);
            assertThat(found.findings().size()).as("%s", those).isGreaterThanOrEqualTo(damaged);
            assertThat(those)
                    .containsAll(
                            found.findings().stream().map(KeeperFinding::keeper).toList());
            assertThat(found.unreadable()).as("%s", those).isEmpty();
            ScrubReport mended = scrub(folders, true);
            assertThat(mended.isSound()).as("%s: %s", those, mended).isTrue();
            assertThat(states(folders)).as("%s", those).isEqualTo(before);
        }
        assertEveryChoiceRestores(folders, kept);
    }

    /** Flips some bits, cuts, or deletes. */
    private void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        switch (random.nextInt(5)) {
            case 0 -> Files.delete(file);
            case 1 -> Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
                }
                Files.write(file, bytes);
            }
        }
    }

    @Test
    void damageThatLeavesTooFewCellsOfAGroupIsSaidAndNothingWrongIsWritten() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 2_000_000);
        }
        for (int keeper = 0; keeper < 2; keeper++) {
            Path file = folders.shardOf(keeper, "snapshot");
            byte[] bytes = Files.readAllBytes(file);
            bytes[ShardHeader.BYTES + GroupFrame.headBytes(3) + 70_000] ^= 1;
            Files.write(file, bytes);
        }
        List<TreeMap<String, Fingerprint>> before = states(folders);
        ScrubReport found = scrub(folders, true);
        assertThat(found.isSound()).isFalse();
        assertThat(found.findings()).hasSize(2).noneMatch(KeeperFinding::mended);
        assertThat(found.findings())
                .extracting(KeeperFinding::offset)
                .containsOnly((long) ShardHeader.BYTES + GroupFrame.headBytes(3) + GroupFrame.BLOCK_BYTES);
        assertThat(found.unreadable())
                .anyMatch(line -> line.contains(SNAPSHOT + ": bytes 0 to 524287 can't be read: 1 keepers"));
        assertThat(states(folders)).isEqualTo(before);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(CONTAINER)).contains(kept.get(CONTAINER));
        }
    }

    @Test
    void whatAKeeperMissedIsOwedAndPaid() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        folders.takeAway(3);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 1_500_000);
        }
        folders.bringBack(3);
        ScrubReport found = scrub(folders, false);
        assertThat(found.findings()).hasSize(3).allMatch(each -> each.owed() && each.keeper() == 3);
        assertThat(found.owed(3)).isEqualTo(3);
        ScrubReport mended = scrub(folders, true);
        assertThat(mended.isSound()).isTrue();
        assertThat(mended.findings()).as("copies are given at the start").hasSize(2);
        assertThat(scrub(folders, false).findings()).isEmpty();
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void whatAKeeperMissedWhileAFileGrewIsOwedFromThereOnAndPaid() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 4, 2);
        ByteBuffer all = bytes(5_000_000);
        try (DispersedStorage storage = folders.open();
                AppendableFile file = storage.create(CONTAINER, all.slice(0, 64))) {
            file.append(all.slice(64, 2_000_000));
            file.force();
            storage.keepers().get(2).orElseThrow().drop(new IOException("a test's disk is full"));
            file.append(all.slice(2_000_064, all.remaining() - 2_000_064));
            file.force();
        }
        long has = Files.size(folders.files(2).get(0));
        ScrubReport found = scrub(folders, false);
        assertThat(found.findings()).hasSize(1).allMatch(each -> each.owed() && each.keeper() == 2);
        assertThat(found.findings().get(0).offset()).isEqualTo(has);
        assertThat(scrub(folders, true).isSound()).isTrue();
        assertEveryChoiceRestores(folders, Map.of(CONTAINER, all));
    }

    @Test
    void marksOfWhatWasDeletedAreCheckedToo() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 1000);
        }
        folders.takeAway(3);
        try (DispersedStorage storage = folders.open()) {
            storage.delete(SNAPSHOT);
        }
        Path mark = folders.shardOf(0, ".gone");
        byte[] bytes = Files.readAllBytes(mark);
        bytes[130] ^= 1;
        Files.write(mark, bytes);
        assertThat(scrub(folders, false).findings())
                .extracting(KeeperFinding::file)
                .containsExactly(mark.toString());
        ScrubReport mended = scrub(folders, true);
        assertThat(mended.findings()).allMatch(KeeperFinding::mended);
        assertThat(mended.away()).containsOnlyKeys(3);
        assertThat(mended.isSound()).as("a keeper is away").isFalse();
        folders.bringBack(3);
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.open(SNAPSHOT)).isInstanceOf(NoSuchFileException.class);
        }
        assertThat(folders.files(3)).noneMatch(file -> file.toString().contains("snapshot"));
    }

    @Test
    void aMendThatFailsLeavesNoPartBehind() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 1000);
            Keeper keeper = storage.keepers().get(1).orElseThrow();
            StoredVersion version = storage.versions().find(SMALL).orElseThrow();
            assertThatThrownBy(() -> CopyCheck.mend(storage.keepers(), version, keeper, bytes(24), () -> {
                        assertThat(folders.shardOf(1, ".part")).isRegularFile();
                        throw new IOException("no rename");
                    }))
                    .hasMessage("no rename");
            assertThat(folders.files(1)).noneMatch(left -> left.toString().endsWith(".part"));
        }
        // A folder with something in it can't be replaced by a rename.
        Path file = folders.shardOf(1, SMALL);
        Files.delete(file);
        Files.createDirectory(file);
        Files.writeString(file.resolve("x"), "x");
        assertThat(scrub(folders, true).isSound()).isFalse();
        assertThat(folders.files(1)).noneMatch(left -> left.toString().endsWith(".part"));
        Files.delete(file.resolve("x"));
        Files.delete(file);
        assertThat(scrub(folders, true).isSound()).isTrue();
    }

    @Test
    void aKeeperThatLiesWithItsChecksumsRightIsNamedAndMended() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 1000);
        }
        List<TreeMap<String, Fingerprint>> before = states(folders);
        Path shard = folders.shardOf(1, "snapshot");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(shard));
        int headBytes = GroupFrame.headBytes(4);
        GroupFrame frame = GroupFrame.decoded(2, 4, bytes.slice(ShardHeader.BYTES, headBytes))
                .orElseThrow()
                .frame();
        ByteBuffer cell = bytes.slice(ShardHeader.BYTES + headBytes, frame.cellBytes());
        cell.put(7, (byte) ~cell.get(7));
        bytes.put(ShardHeader.BYTES, frame.encoded(cell).array());
        Files.write(shard, bytes.array());
        Path copy = folders.shardOf(2, SMALL);
        StoredVersion version = StoredVersion.parse(
                        folders.keeper(2).relativize(copy).toString())
                .orElseThrow();
        Dispersal dispersal = Keeper.identityOf(folders.home(2)).orElseThrow().dispersal();
        ShardHeader header = ShardHeader.read(dispersal, 2, version, "", ByteBuffer.wrap(Files.readAllBytes(copy)));
        Files.write(copy, Copies.encoded(header, bytes(24)).array());

        ScrubReport found = scrub(folders, false);
        assertThat(found.findings()).extracting(KeeperFinding::keeper).containsExactlyInAnyOrder(1, 2);
        assertThat(found.findings().toString()).contains("is not what the keeper was given", "most keepers deny");
        assertThat(scrub(folders, true).isSound()).isTrue();
        assertThat(states(folders)).isEqualTo(before);
        assertEveryChoiceRestores(folders, kept);
    }

    @Test
    void aHeaderThatOneKeeperSaysOtherwiseWithItsChecksumRightDoesNotMakeAFileUnreadable() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 1000);
        }
        for (int keeper = 0; keeper < 3; keeper++) {
            Path file = folders.shardOf(keeper, "snapshot");
            byte[] sound = Files.readAllBytes(file);
            ByteBuffer lie = ByteBuffer.wrap(sound.clone());
            lie.putLong(112, 999);
            lie.putInt(124, Checks.crc(lie.slice(0, 124)));
            Files.write(file, lie.array());
            for (int late = 0; late < 3; late++) {
                assertReadsWithOneLate(folders, late, kept.get(SNAPSHOT));
                folders.takeAway(late);
                try (DispersedStorage storage = folders.open()) {
                    assertThat(storage.size(SNAPSHOT)).isEqualTo(1000);
                    assertThat(storage.read(SNAPSHOT)).contains(kept.get(SNAPSHOT));
                }
                folders.bringBack(late);
            }
            ScrubReport found = scrub(folders, true);
            assertThat(found.findings()).extracting(KeeperFinding::offset).containsExactly(119L);
            assertThat(Files.readAllBytes(file)).isEqualTo(sound);
        }
    }

    /** Two answer at first, of whom one may lie. */
    private static void assertReadsWithOneLate(RemovableFolders folders, int late, ByteBuffer bytes)
            throws IOException {
        SlowHome slow = new SlowHome(folders.keeper(late));
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(late, slow);
        for (boolean sizeFirst : new boolean[] {true, false}) {
            try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(2, 1, homes))) {
                slow.slow(Duration.ofMillis(100));
                if (sizeFirst) {
                    assertThat(storage.size(SNAPSHOT))
                            .as("keeper %d is late", late)
                            .isEqualTo(bytes.remaining());
                }
                assertThat(storage.read(SNAPSHOT)).as("keeper %d is late", late).contains(bytes);
                slow.goOn();
            }
        }
    }

    @Test
    void theEndOfAFileThatGrewIsLeftToTheAgentWhereItMayNeverHaveCounted() throws IOException {
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
        for (int i = 0; i < 2; i++) {
            Path file = folders.files(i).get(0);
            byte[] bytes = Files.readAllBytes(file);
            Arrays.fill(bytes, (int) ends[i] + GroupFrame.headBytes(3), bytes.length, (byte) 0);
            Files.write(file, bytes);
        }
        List<TreeMap<String, Fingerprint>> before = states(folders);
        ScrubReport found = scrub(folders, true);
        assertThat(found.isSound()).isFalse();
        assertThat(found.unreadable().toString()).contains("from byte 1000 on it is whole at too few keepers");
        assertThat(states(folders)).isEqualTo(before);
        try (DispersedStorage storage = folders.open()) {
            storage.endWriting(CONTAINER);
            storage.force(CONTAINER);
        }
        assertThat(scrub(folders, false).isSound()).isTrue();
        assertEveryChoiceRestores(folders, Map.of(CONTAINER, all.slice(0, 1000)));
    }

    @Test
    void whatAnotherVersionWroteAndAFolderThatIsAnotherKeepersAreLeftAsTheyAre() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 1000);
        }
        Path newer = folders.shardOf(0, "snapshot");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(newer));
        bytes.putInt(8, 3);
        bytes.putInt(124, Checks.crc(bytes.slice(0, 124)));
        Files.write(newer, bytes.array());
        Path exchanged = folders.keeper(3).resolve("files");
        Files.move(exchanged, folder.resolve("own"));
        copy(folders.keeper(2).resolve("files"), exchanged);
        Files.writeString(folders.keeper(3).resolve("keeper"), "rot");
        List<TreeMap<String, Fingerprint>> before = states(folders);
        ScrubReport found = scrub(folders, true);
        assertThat(found.isSound()).isFalse();
        assertThat(found.away()).containsOnlyKeys(0, 3);
        assertThat(found.away().get(0)).contains("version 3");
        assertThat(found.findings()).hasSize(1).noneMatch(KeeperFinding::mended);
        assertThat(states(folders)).isEqualTo(before);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    @Test
    void checkingChangesNothingAndWrongUseIsRefused() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        assertThatThrownBy(() -> scrub(folders, false)).hasMessageContaining("none of the keepers is there");
        assertThatThrownBy(() -> scrub(folders, true)).hasMessageContaining("none of the keepers is there");
        assertThat(folders.keeper(0)).isEmptyDirectory();
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 1000);
            assertThatThrownBy(() -> scrub(folders, false)).hasMessageContaining("in use by this process already");
        }
        byte[] writer = Files.readAllBytes(folders.keeper(0).resolve("writer"));
        scrub(folders, false);
        assertThat(folders.keeper(0).resolve("writer")).hasBinaryContent(writer);
        folders.takeAway(0);
        folders.takeAway(1);
        ScrubReport two = scrub(folders, false);
        assertThat(two.away()).containsOnlyKeys(0, 1);
        assertThat(two.findings()).isEmpty();
        assertThatThrownBy(() -> scrub(folders, true))
                .hasMessage("only 2 of 4 keepers are there and 3 are needed to mend anything: bring more back, or only"
                        + " check");
    }

    @Test
    void aPowerLossAtAnyChangeOfARepairLeavesEverythingReadableAndTheNextOneEndsIt() throws IOException {
        RecordedFiles files = new RecordedFiles(Files.createDirectory(folder.resolve("lived")));
        RemovableFolders lived = RemovableFolders.make(files.root(), 2, 2);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = lived.open()) {
            kept = fill(storage, 3000);
        }
        List<TreeMap<String, Fingerprint>> sound = states(lived);
        for (int keeper : List.of(0, 2)) {
            for (Path file : lived.files(keeper)) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length - 1 - random.nextInt(100)] ^= 1;
                Files.write(file, bytes);
            }
        }
        Files.delete(lived.shardOf(2, "container"));
        files.mark("damaged");
        assertThat(scrub(lived, true).isSound()).isTrue();
        DiskImage disk = new DiskImage();
        boolean repairing = false;
        int deaths = 0;
        for (DiskChange change : files.changes()) {
            disk.apply(change);
            repairing |= change instanceof DiskChange.Mark;
            if (!repairing) {
                continue;
            }
            // A disk that lied would be one more damaged keeper than there is parity.
            for (Loss loss : List.of(Loss.ALL_UNFORCED, Loss.TORN_LAST_WRITE, Loss.ANY_UNFORCED)) {
                Path left = folder.resolve("left" + deaths++);
                if (!LongTests.tries(random, 3)) {
                    continue;
                }
                disk.writeTo(left, loss, random);
                RemovableFolders folders = RemovableFolders.make(left, 2, 2);
                String when = "death " + deaths + " " + loss;
                assertReads(folders, kept, when);
                ScrubReport ended = scrub(folders, true);
                assertThat(ended.isSound()).as("%s: %s", when, ended).isTrue();
                assertThat(states(folders)).as(when).isEqualTo(sound);
            }
        }
        assertThat(deaths).isGreaterThan(50);
    }

    private static void assertReads(RemovableFolders folders, Map<String, ByteBuffer> kept, String when)
            throws IOException {
        try (DispersedStorage storage = folders.open()) {
            for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
                assertThat(storage.read(file.getKey()))
                        .as("%s: %s", when, file.getKey())
                        .contains(file.getValue());
            }
        }
    }
}
