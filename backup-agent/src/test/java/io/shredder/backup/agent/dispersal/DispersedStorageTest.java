// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.Checks;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
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
class DispersedStorageTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final String OTHER_SNAPSHOT = "snapshots/site1/vm/0000000000000002.snapshot";
    private static final String SMALL = "highest-id";
    private static final List<String> ALL = List.of(CONTAINER, SNAPSHOT, SMALL);

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());

    private ByteBuffer bytes(int length) {
        return ByteBuffer.wrap(Samples.randomBytes(random, length));
    }

    private static ByteBuffer contents(DispersedStorage storage, String file) throws IOException {
        return storage.read(file).orElseThrow(() -> new NoSuchFileException(file));
    }

    private TreeMap<String, ByteBuffer> fill(DispersedStorage storage, int length) throws IOException {
        TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        ByteBuffer container = bytes(length);
        try (AppendableFile file = storage.create(CONTAINER, container.slice(0, 64))) {
            for (int at = 64; at < length; ) {
                int part = Math.min(length - at, 1 + random.nextInt(length / 2));
                file.append(container.slice(at, part));
                at += part;
                if (at == length || random.nextBoolean()) {
                    file.force();
                }
            }
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

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "2, 1", "2, 2", "4, 2", "5, 3"})
    void everyChoiceOfAsManyKeepersAsThereAreDataKeepersGivesEverythingBackAndOneFewerSaysSo(int data, int parity)
            throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 3_000_000);
        }
        for (List<Integer> those : RemovableFolders.choices(folders.count(), data)) {
            List<Integer> away = folders.takeAwayAllBut(those);
            try (DispersedStorage storage = folders.open()) {
                for (String file : ALL) {
                    assertThat(contents(storage, file))
                            .as("%s of %s", file, those)
                            .isEqualTo(kept.get(file));
                    assertThat(storage.size(file)).isEqualTo(kept.get(file).remaining());
                }
                assertThatThrownBy(() -> storage.replace(SMALL, bytes(1)))
                        .hasMessageMatching("only \\d of \\d keepers .*");
            }
            folders.takeAway(those.get(0));
            assertThatThrownBy(folders::open)
                    .hasMessageContaining(data == 1 ? "none of the keepers is there" : "keepers are there and");
            folders.bringBack(those.get(0));
            folders.bringBack(away);
        }
    }

    @Test
    void whatAKeeperMissedWhileItWasAwayStaysAsTheOthersHaveIt() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 100_000);
        }
        folders.takeAway(0);
        ByteBuffer small = bytes(30);
        ByteBuffer snapshot = bytes(200_000);
        try (DispersedStorage storage = folders.open()) {
            storage.delete(CONTAINER);
            storage.replace(SMALL, small.duplicate());
            storage.publish(Files.write(folder.resolve("draft"), snapshot.array()), SNAPSHOT);
        }
        folders.bringBack(0);
        for (int other = 1; other < 4; other++) {
            folders.takeAway(other);
            try (DispersedStorage storage = folders.open()) {
                assertThat(contents(storage, SMALL)).isEqualTo(small);
                assertThat(contents(storage, SNAPSHOT)).isEqualTo(snapshot);
                assertThat(storage.list("containers")).isEmpty();
                assertThatThrownBy(() -> storage.open(CONTAINER)).isInstanceOf(NoSuchFileException.class);
            }
            folders.bringBack(other);
        }
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.list("containers")).isEmpty();
        }
        for (int i = 0; i < 4; i++) {
            assertThat(folders.files(i)).noneMatch(file -> file.toString().contains("container"));
        }
    }

    @Test
    void keepersMayDieWhileAFileGrowsUntilTooFewAreLeft() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 4, 2);
        ByteBuffer all = bytes(6_000_000);
        try (DispersedStorage storage = folders.open();
                AppendableFile file = storage.create(CONTAINER, all.slice(0, 64))) {
            file.append(all.slice(64, 2_000_000));
            file.force();
            breakShard(folders, storage, 3);
            file.append(all.slice(2_000_064, 2_000_000));
            file.force();
            assertThat(storage.keepers().changeable()).hasSize(5);
            assertThat(file.isSound()).isTrue();
            ByteBuffer small = bytes(24);
            storage.replace(SMALL, small.duplicate());
            assertThat(contents(storage, SMALL)).isEqualTo(small);

            breakShard(folders, storage, 0);
            assertThatThrownBy(() -> {
                        file.append(all.slice(4_000_064, 1_000_000));
                        file.force();
                    })
                    .hasMessageContaining("only 4 of 6 keepers took a change and 5 are needed");
            assertThat(file.isSound()).isFalse();
            assertThatThrownBy(() -> storage.replace(SMALL, bytes(1))).hasMessageContaining("5 are needed");
            assertThat(contents(storage, SMALL)).isEqualTo(small);
        }
        folders.takeAway(3);
        try (DispersedStorage storage = folders.open()) {
            storage.endWriting(CONTAINER);
            long size = storage.size(CONTAINER);
            assertThat(size).isBetween(4_000_064L, 5_000_064L);
            assertThat(contents(storage, CONTAINER)).isEqualTo(all.slice(0, (int) size));
        }
    }

    /** From now on the keeper fails every change. */
    private static void breakShard(RemovableFolders folders, DispersedStorage storage, int index) throws IOException {
        storage.keepers().get(index).orElseThrow().setEpoch(storage.keepers().epoch());
        Files.writeString(folders.keeper(index).resolve("writer"), "rot");
    }

    @Test
    void aTailThatWasNeverAcknowledgedIsCutOffAndWhatWasStays() throws IOException {
        for (int round = 0; round < 30; round++) {
            RemovableFolders folders = RemovableFolders.make(folder.resolve("round" + round), 2, 2);
            ByteBuffer all = bytes(1_500_000);
            int forced = 64 + random.nextInt(700_000);
            long[] forcedShard = new long[4];
            try (DispersedStorage storage = folders.open();
                    AppendableFile file = storage.create(CONTAINER, all.slice(0, 64))) {
                file.append(all.slice(64, forced - 64));
                file.force();
                for (int i = 0; i < 4; i++) {
                    forcedShard[i] = Files.size(folders.files(i).get(0));
                }
                file.append(all.slice(forced, all.remaining() - forced));
            }
            for (int i = 0; i < 4; i++) {
                tear(folders.files(i).get(0), forcedShard[i]);
            }
            boolean oneAway = random.nextBoolean();
            if (oneAway) {
                folders.takeAway(random.nextInt(4));
            }
            long size;
            try (DispersedStorage storage = folders.open()) {
                try {
                    storage.endWriting(CONTAINER);
                    size = readable(storage);
                } catch (IOException e) {
                    // Who is away may have what decides: nothing is cut before that is known.
                    assertThat(oneAway).as("round %d: %s", round, e).isTrue();
                    assertThat(e).hasMessageContaining("bring back");
                    continue;
                }
                assertThat(size).isBetween((long) forced, (long) all.remaining());
                if (size < storage.size(CONTAINER)) {
                    storage.cut(CONTAINER, size);
                }
                assertThat(contents(storage, CONTAINER)).isEqualTo(all.slice(0, (int) size));
                storage.force(CONTAINER);
            }
            try (DispersedStorage storage = folders.open()) {
                assertThat(contents(storage, CONTAINER)).isEqualTo(all.slice(0, (int) size));
            }
        }
    }

    /** How much can be read before a group that the tearing left unreadable, with others behind it. */
    private static long readable(DispersedStorage storage) throws IOException {
        try {
            return contents(storage, CONTAINER).remaining();
        } catch (DamagedDataException e) {
            return e.offset();
        }
    }

    /** Leaves what was forced and some of the rest, of which some is not what was written. */
    private void tear(Path shard, long forced) throws IOException {
        try (FileChannel channel = FileChannel.open(shard, StandardOpenOption.WRITE)) {
            long more = channel.size() - forced;
            if (more > 0) {
                channel.truncate(forced + (long) (random.nextDouble() * (more + 1)));
                more = channel.size() - forced;
            }
            if (more > 0 && random.nextBoolean()) {
                long at = forced + (long) (random.nextDouble() * more);
                channel.write(ByteBuffer.allocate((int) Math.min(512, channel.size() - at)), at);
            }
        }
    }

    @Test
    void aFlipOfAnyByteOfAKeeperIsReadPastAndTheKeeperNamed() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 200);
        }
        for (Path file : folders.files(0)) {
            byte[] sound = Files.readAllBytes(file);
            for (int at = 0; at < sound.length; at++) {
                if (!LongTests.tries(random, 4)) {
                    continue;
                }
                byte[] flipped = sound.clone();
                flipped[at] ^= 0x20;
                Files.write(file, flipped);
                String flip = file + ", flip at " + at;
                assertThat(damagedIn(folders, kept, flip)).as(flip).containsExactly(0);
            }
            Files.write(file, sound);
        }
    }

    @Test
    void damageOfMoreKeepersThanThereIsParityIsDamageAndKeepersThatAreAwayAreNot() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 100_000);
        }
        Path first = folders.shardOf(0, "snapshot");
        flip(first, Files.size(first) - 5);
        try (DispersedStorage storage = folders.open()) {
            folders.takeAway(1);
            try (ReadableFile fewer = storage.open(SNAPSHOT)) {
                assertThatThrownBy(() -> fewer.readFully(ByteBuffer.allocate(100_000), 0))
                        .isNotInstanceOf(DamagedDataException.class)
                        .hasMessageContaining("bring back the others");
            }
            folders.bringBack(1);
            Path second = folders.shardOf(1, "snapshot");
            flip(second, Files.size(second) - 5);
        }
        try (DispersedStorage storage = folders.open();
                ReadableFile file = storage.open(SNAPSHOT)) {
            assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(100_000), 0))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("of 3 keepers 2 are needed, and 1 have it");
        }
    }

    @ParameterizedTest
    @CsvSource({"2, header", "2, groups", "3, groups"})
    void aFileThatIsDamagedIsListedInItsLengthAndHidesNoOther(int damaged, String where) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 100_000);
            storage.publish(folder.resolve("draft"), OTHER_SNAPSHOT);
        }
        for (int i = 0; i < damaged; i++) {
            flip(folders.shardOf(i, "1.snapshot"), where.equals("header") ? 5 : ShardHeader.BYTES + 5);
        }
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.read(SNAPSHOT)).isInstanceOf(DamagedDataException.class);
            assertThat(storage.list("snapshots"))
                    .containsExactlyInAnyOrder(
                            new StoredFile(SNAPSHOT, kept.get(SNAPSHOT).remaining()),
                            new StoredFile(OTHER_SNAPSHOT, kept.get(SNAPSHOT).remaining()));
        }
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 4;
        Files.write(file, bytes);
    }

    @Test
    void aKeeperThatLiesWithItsChecksumsRightIsNamed() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        TreeMap<String, ByteBuffer> kept;
        try (DispersedStorage storage = folders.open()) {
            kept = fill(storage, 1000);
        }
        Path shard = folders.shardOf(1, "snapshot");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(shard));
        int headBytes = GroupFrame.headBytes(4);
        ByteBuffer head = bytes.slice(ShardHeader.BYTES, headBytes);
        GroupFrame frame = GroupFrame.decoded(2, 4, head).orElseThrow().frame();
        ByteBuffer cell = bytes.slice(ShardHeader.BYTES + headBytes, frame.cellBytes());
        cell.put(7, (byte) ~cell.get(7));
        List<Fingerprint> digests = new ArrayList<>(frame.digests());
        for (boolean inDigests : new boolean[] {false, true}) {
            if (inDigests) {
                digests.set(1, Checks.cellDigest(cell));
            }
            GroupFrame lie = new GroupFrame(
                    frame.cellBytes(), frame.group(), frame.offset(), frame.bytes(), frame.members(), digests);
            head.put(0, lie.encoded(cell).array());
            Files.write(shard, bytes.array());
            assertThat(damagedIn(folders, kept, "a lie")).containsExactly(1);
        }
    }

    /** Reads everything, and again if nobody was named: what is late on a busy machine is not looked at. */
    private static List<Integer> damagedIn(RemovableFolders folders, TreeMap<String, ByteBuffer> kept, String what)
            throws IOException {
        List<Integer> damaged = List.of();
        for (int i = 0; i < 20 && damaged.isEmpty(); i++) {
            try (DispersedStorage storage = folders.open()) {
                for (Map.Entry<String, ByteBuffer> each : kept.entrySet()) {
                    assertThat(contents(storage, each.getKey())).as(what).isEqualTo(each.getValue());
                }
                damaged = storage.keepers().all().stream()
                        .filter(keeper -> keeper.damagedPlaces() > 0)
                        .map(Keeper::index)
                        .toList();
            }
        }
        return damaged;
    }

    @Test
    void anotherWriterIsToldByNameAndShutOut() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage, 1000);
            assertThatThrownBy(folders::open).hasMessageContaining("is in use by this process already");
            try (AppendableFile file = storage.create("containers/00000/00000002.container", bytes(64))) {
                storage.keepers()
                        .get(2)
                        .orElseThrow()
                        .setEpoch(storage.keepers().epoch() + 1);
                assertThatThrownBy(() -> {
                            file.append(bytes(10));
                            file.force();
                        })
                        .hasMessageContaining("another agent has taken the store over")
                        .hasMessageContaining("keeper2");
                assertThat(file.isSound()).isFalse();
            }
            assertThatThrownBy(() -> storage.replace(SMALL, bytes(3))).isInstanceOf(IOException.class);
        }
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().epoch()).isEqualTo(3);
            storage.replace(SMALL, bytes(3));
        }
    }

    @Test
    void keepersOfAnotherStoreOrInAnotherOrderAreRefused() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder.resolve("one"), 2, 1);
        RemovableFolders others = RemovableFolders.make(folder.resolve("two"), 2, 1);
        folders.open().close();
        others.open().close();
        List<KeeperHome> mixed = List.of(folders.home(0), folders.home(1), others.home(2));
        assertThatThrownBy(() -> DispersedStorage.open(new DispersalConfig(2, 1, mixed)))
                .hasMessageContaining("are keepers of different stores");
        List<KeeperHome> turned = List.of(folders.home(1), folders.home(0), folders.home(2));
        assertThatThrownBy(() -> DispersedStorage.open(new DispersalConfig(2, 1, turned)))
                .hasMessageContaining("was expected: correct the list of keepers");
        assertThatThrownBy(() -> DispersedStorage.open(
                        new DispersalConfig(1, 2, folders.config().keepers())))
                .hasMessageContaining("was expected");
        assertThatCode(() -> folders.open().close()).doesNotThrowAnyException();
    }

    @Test
    void aStoreBeginsOnlyInEmptyFoldersThatAreAllThere() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        folders.takeAway(1);
        assertThatThrownBy(folders::open).hasMessageContaining("none of the keepers is there");
        folders.bringBack(1);
        Files.writeString(folders.keeper(1).resolve("letter"), "x");
        assertThatThrownBy(folders::open).hasMessageContaining("leave them empty");
        Files.delete(folders.keeper(1).resolve("letter"));
        folders.open().close();
        folders.takeAway(1);
        Files.createDirectory(folders.keeper(1));
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.keepers().away().cardinality()).isEqualTo(1);
        }
        try (Stream<Path> files = Files.list(folders.keeper(1))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aDiskThatIsUnmountedGetsNothing() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            folders.takeAway(3);
            Files.createDirectory(folders.keeper(3));
            fill(storage, 1000);
            assertThat(storage.list("")).extracting(StoredFile::name).containsExactlyInAnyOrderElementsOf(ALL);
            try (Stream<Path> files = Files.list(folders.keeper(3))) {
                assertThat(files).isEmpty();
            }
        }
    }
}
