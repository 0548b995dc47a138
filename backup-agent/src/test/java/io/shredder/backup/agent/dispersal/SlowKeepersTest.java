// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.SlowHome;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads go on at the pace of the quickest keepers, whatever the others do. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowKeepersTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final int BYTES = 12_000_000;
    private static final Duration SLOW = Duration.ofMillis(300);

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private final ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, BYTES));
    private final List<SlowHome> homes = new ArrayList<>();

    private RemovableFolders filled(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder.resolve(data + "+" + parity), data, parity);
        homes.clear();
        for (int i = 0; i < folders.count(); i++) {
            homes.add(new SlowHome(folders.keeper(i)));
        }
        try (DispersedStorage storage = open(folders);
                AppendableFile file = storage.create(CONTAINER, all.slice(0, 64))) {
            file.append(all.slice(64, BYTES - 64));
            file.force();
        }
        return folders;
    }

    private DispersedStorage open(RemovableFolders folders) throws IOException {
        List<KeeperHome> keepers = new ArrayList<>(homes);
        return DispersedStorage.open(new DispersalConfig(folders.data(), folders.parity(), keepers));
    }

    private void readAll(DispersedStorage storage) throws IOException {
        try (ReadableFile file = storage.open(CONTAINER)) {
            readAll(file);
        }
    }

    private void readAll(ReadableFile file) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(200_000);
        for (int at = 0; at < BYTES; at += piece.capacity()) {
            piece.clear().limit(Math.min(piece.capacity(), BYTES - at));
            file.readFully(piece, at);
            assertThat(piece.flip()).isEqualTo(all.slice(at, piece.remaining()));
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 2", "5, 3", "2, 2"})
    void nobodyWaitsForOneThatIsSlow(int data, int parity) throws IOException {
        RemovableFolders folders = filled(data, parity);
        for (int slow = 0; slow < folders.count(); slow++) {
            try (DispersedStorage storage = open(folders)) {
                homes.get(slow).slow(SLOW);
                int before = homes.get(slow).reads();
                long startNs = System.nanoTime();
                for (int i = 0; i < 5; i++) {
                    readAll(storage);
                }
                Duration took = Duration.ofNanos(System.nanoTime() - startNs);
                int groups = 5 * BYTES / (data << 18);
                assertThat(took).as("keeper %d is slow", slow).isLessThan(SLOW.multipliedBy(groups / 3));
                assertThat(homes.get(slow).reads() - before)
                        .as("reads of the slow keeper, of %d groups", groups)
                        .isLessThan(10 + (int) took.toSeconds() * 4);
            } finally {
                homes.get(slow).goOn();
            }
        }
    }

    @InTurn(days = 3)
    @Test
    void oneThatIsQuickAgainIsReadAgain() throws IOException, InterruptedException {
        RemovableFolders folders = filled(4, 2);
        try (DispersedStorage storage = open(folders);
                ReadableFile file = storage.open(CONTAINER)) {
            homes.get(1).slow(SLOW);
            readAll(file);
            homes.get(1).goOn();
            int before = homes.get(1).reads();
            for (int i = 0; i < 100 && homes.get(1).reads() < before + 20; i++) {
                Thread.sleep(200);
                readAll(file);
            }
            assertThat(homes.get(1).reads()).isGreaterThanOrEqualTo(before + 20);
        }
    }

    /** One whose shard is damaged is opened first, one that is sound a moment later, and the last one never. */
    @Test
    void oneThatHangsIsNotWaitedForWhereALateOneIsEnough() throws IOException {
        RemovableFolders folders = filled(2, 2);
        Path shard = folders.shardOf(0, "container");
        byte[] damaged = Files.readAllBytes(shard);
        damaged[damaged.length - 1] ^= 1;
        Files.write(shard, damaged);
        try (DispersedStorage storage = open(folders)) {
            homes.get(2).slow(SLOW);
            homes.get(3).hang();
            try (ReadableFile file = storage.open(CONTAINER)) {
                ByteBuffer end = ByteBuffer.allocate(1000);
                file.readFully(end, BYTES - 1000);
                assertThat(end.flip()).isEqualTo(all.slice(BYTES - 1000, 1000));
            }
            homes.get(3).goOn();
        }
    }

    /** Up to as many as there is parity are slow, hang, are dead, or have something else, each time others. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "4, 2", "5, 3"})
    void anyMixOfTroubleLeavesTheBytesAsTheyWere(int data, int parity) throws IOException {
        RemovableFolders folders = filled(data, parity);
        for (int round = 0; round < 8; round++) {
            List<Integer> keepers =
                    new ArrayList<>(IntStream.range(0, folders.count()).boxed().toList());
            Collections.shuffle(keepers, random);
            List<Runnable> mends = new ArrayList<>();
            StringBuilder what = new StringBuilder();
            try (DispersedStorage storage = open(folders);
                    ReadableFile before = storage.open(CONTAINER)) {
                for (int keeper : keepers.subList(0, 1 + random.nextInt(parity))) {
                    what.append(trouble(folders, keeper, mends));
                }
                assertReadsAnywhere(before, what.toString());
                try (ReadableFile after = storage.open(CONTAINER)) {
                    assertReadsAnywhere(after, what.toString());
                }
                mends.forEach(Runnable::run);
            }
        }
    }

    private String trouble(RemovableFolders folders, int keeper, List<Runnable> mends) throws IOException {
        SlowHome home = homes.get(keeper);
        mends.add(home::goOn);
        switch (random.nextInt(4)) {
            case 0:
                home.slow(Duration.ofMillis(50 + random.nextInt(300)));
                return keeper + " is slow ";
            case 1:
                home.hang();
                return keeper + " hangs ";
            case 2:
                folders.takeAway(keeper);
                mends.add(() -> bringBack(folders, keeper));
                return keeper + " is dead ";
            default:
                Path shard = folders.shardOf(keeper, "container");
                byte[] sound = Files.readAllBytes(shard);
                byte[] other = sound.clone();
                for (int i = 0; i < 40; i++) {
                    other[random.nextInt(other.length)] ^= (byte) (1 + random.nextInt(255));
                }
                write(shard, other);
                mends.add(() -> write(shard, sound));
                return keeper + " has something else ";
        }
    }

    private static void bringBack(RemovableFolders folders, int keeper) {
        try {
            folders.bringBack(keeper);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void assertReadsAnywhere(ReadableFile file, String what) throws IOException {
        for (int i = 0; i < 30; i++) {
            int at = random.nextInt(BYTES);
            ByteBuffer piece = ByteBuffer.allocate(1 + random.nextInt(Math.min(2_000_000, BYTES - at)));
            file.readFully(piece, at);
            assertThat(piece.flip()).as("%sat %d", what, at).isEqualTo(all.slice(at, piece.remaining()));
        }
    }

    @Test
    void oneThatHangsKeepsFewThreadsAndAllEndWithTheStore() throws IOException, InterruptedException {
        RemovableFolders folders = filled(4, 2);
        SlowHome hung = homes.get(2);
        try (DispersedStorage storage = open(folders)) {
            hung.hang();
            for (int i = 0; i < 60; i++) {
                try (ReadableFile file = storage.open(CONTAINER)) {
                    ByteBuffer piece = ByteBuffer.allocate(100);
                    file.readFully(piece, random.nextInt(BYTES - 100));
                }
            }
            assertThat(readers())
                    .as("at most sixteen reads are under way at a keeper")
                    .isLessThan(16 + 40);
            hung.goOn();
        }
        for (int i = 0; i < 100 && readers() > 0; i++) {
            Thread.sleep(50);
        }
        assertThat(readers()).isZero();
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("keepers-"))
                .count();
    }

    @Test
    void oneThatIsBeingFilledIsNotRead() throws IOException {
        RemovableFolders folders = filled(4, 2);
        try (DispersedStorage storage = open(folders)) {
            KeeperIdentity identity = storage.keepers().get(0).orElseThrow().identity();
            Replacements replaced = Replacements.NONE.with(0, new Replacements.Last(1, Instant.EPOCH));
            Files.write(
                    folders.keeper(0).resolve(Keeper.IDENTITY),
                    new KeeperIdentity(identity.dispersal(), 0, false, replaced).encoded());
        }
        try (DispersedStorage storage = open(folders);
                ReadableFile file = storage.open(CONTAINER)) {
            assertThat(storage.keepers().get(0).orElseThrow().isWhole()).isFalse();
            int before = homes.get(0).reads();
            readAll(file);
            assertThat(homes.get(0).reads() - before).as("but for a probe").isLessThan(3);
        }
    }
}
