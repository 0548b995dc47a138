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
import io.shredder.backup.agent.dispersal.home.HangingHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A keeper that was away gets what was written meanwhile, while the store is in use. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwedShardsTest {

    private static final Duration SOON = Duration.ofMillis(1);

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());
    private final TreeMap<String, ByteBuffer> kept = new TreeMap<>();
    private StoreFiles files;

    @BeforeEach
    void make() {
        files = new StoreFiles(folder, random, kept);
    }

    private RemovableFolders owing(int data, int parity, int... places) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        try (DispersedStorage storage = folders.open()) {
            files.fill(storage, "before");
        }
        for (int place : places) {
            folders.takeAway(place);
        }
        try (DispersedStorage storage = folders.open()) {
            files.fill(storage, "meanwhile");
            storage.delete("snapshots/site1/vm/before.snapshot");
            kept.remove("snapshots/site1/vm/before.snapshot");
        }
        for (int place : places) {
            folders.bringBack(place);
        }
        return folders;
    }

    private static KeeperState state(DispersedStorage storage, int place) throws IOException {
        return storage.keepersState().orElseThrow().keepers().get(place);
    }

    private static int lacking(DispersedStorage storage, int place) {
        Keeper keeper = storage.keepers().get(place).orElseThrow();
        return storage.versions().lacking().files(keeper).size();
    }

    private static void awaitNothingLacks(DispersedStorage storage) {
        StoreFiles.await(() -> storage.keepers().all().stream()
                .allMatch(keeper -> storage.versions().lacking().files(keeper).isEmpty()));
    }

    @Test
    void itGetsWhatItMissed() throws IOException {
        RemovableFolders folders = owing(4, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            assertThat(state(storage, 2).lacking()).isEqualTo(2);
            BackgroundRebuild.start(storage, List.of(), SOON);
            awaitNothingLacks(storage);
            KeeperState state = state(storage, 2);
            assertThat(state.condition()).isEqualTo(Condition.WHOLE);
            assertThat(state.isSound()).isTrue();
            assertThat(List.of(state.filledBytes(), state.toFillBytes())).containsExactly(0L, 0L);
        }
        files.assertWhole(folders);
    }

    @Test
    void twoGetWhatEachMissedThoughOthersAreAwayMeanwhile() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 3);
        folders.open().close();
        for (int place = 0; place < 2; place++) {
            folders.takeAway(place);
            try (DispersedStorage storage = folders.open()) {
                files.fill(storage, "without" + place);
            }
            folders.bringBack(place);
            try (DispersedStorage storage = folders.open()) {
                files.fill(storage, "with" + place);
            }
        }
        folders.takeAway(4);
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), SOON);
            awaitNothingLacks(storage);
        }
        folders.bringBack(4);
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), SOON);
            awaitNothingLacks(storage);
        }
        files.assertWhole(folders);
    }

    @Test
    void aShardThatEndsWhereItsKeeperWasLeftOutIsWrittenToItsEnd() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            String name = "containers/00000/half.container";
            try (AppendableFile file = storage.create(name, files.bytes(1000).slice(0, 1))) {
                file.force();
                for (int i = 0; i < 6; i++) {
                    if (i == 3) {
                        storage.keepers().get(1).orElseThrow().drop(new IOException("its disk was full"));
                    }
                    file.append(files.bytes(400_000));
                    file.force();
                }
            }
            kept.put(name, storage.read(name).orElseThrow());
        }
        try (DispersedStorage storage = folders.open()) {
            assertThat(state(storage, 1).lacking()).isEqualTo(1);
            BackgroundRebuild.start(storage, List.of(), SOON);
            awaitNothingLacks(storage);
        }
        files.assertWhole(folders);
    }

    @Test
    void itGetsThemWhileTheStoreIsWrittenAndDeleted() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        folders.takeAway(1);
        List<String> names = new ArrayList<>();
        try (DispersedStorage storage = folders.open()) {
            for (int i = 0; i < 60; i++) {
                names.add("snapshots/site1/vm/" + (100 + i) + ".snapshot");
                files.publish(storage, names.get(i), 200_000);
            }
        }
        folders.bringBack(1);
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), SOON);
            int changes = 0;
            while (lacking(storage, 1) > 0 || changes < 100) {
                String name = names.get(random.nextInt(names.size()));
                if (random.nextBoolean() && kept.containsKey(name)) {
                    storage.delete(name);
                    kept.remove(name);
                } else {
                    files.publish(storage, name, 5000);
                }
                changes++;
            }
            files.assertReads(storage);
        }
        List<String> there = new ArrayList<>();
        for (Path file : folders.files(0)) {
            there.add(folders.keeper(0).relativize(file).toString());
        }
        assertThat(folders.files(1).stream()
                        .map(file -> folders.keeper(1).relativize(file).toString()))
                .as("nothing is left that nobody else has")
                .containsExactlyElementsOf(there);
        files.assertWhole(folders);
    }

    @Test
    void oneThatCantBeGivenSomethingDoesNotHoldUpTheOthers() throws IOException {
        RemovableFolders folders = owing(2, 3, 1);
        folders.takeAway(3);
        try (DispersedStorage storage = folders.open()) {
            files.fill(storage, "later");
        }
        folders.bringBack(3);
        // What keeper 1 lacks can't be read: of it, only one keeper has the first cell sound.
        Map<Path, byte[]> sound = new TreeMap<>();
        for (int place : new int[] {0, 2, 4}) {
            Path shard = folders.shardOf(place, "meanwhile.snapshot");
            byte[] bytes = Files.readAllBytes(shard);
            sound.put(shard, bytes.clone());
            bytes[bytes.length - 1] ^= 1;
            Files.write(shard, bytes);
        }
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), SOON);
            StoreFiles.await(() -> lacking(storage, 3) == 0);
            assertThat(state(storage, 1).lacking()).isEqualTo(1);
            for (Map.Entry<Path, byte[]> shard : sound.entrySet()) {
                Files.write(shard.getKey(), shard.getValue());
            }
            awaitNothingLacks(storage);
        }
        files.assertWhole(folders);
    }

    @Test
    void closingEndsItAndALaterStartGoesOn() throws IOException {
        RemovableFolders folders = owing(2, 2, 0);
        for (int start = 0; start < 20; start++) {
            try (DispersedStorage storage = folders.open()) {
                BackgroundRebuild.start(storage, List.of(), Duration.ofDays(1));
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(random.nextInt(3)));
            }
        }
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), SOON);
            awaitNothingLacks(storage);
        }
        files.assertWhole(folders);
    }

    @Test
    void aKeeperThatHangsIsGivenUpAndTheOthersGetTheirs() throws Exception {
        RemovableFolders folders = owing(4, 3, 0, 1);
        HangingHome hung = new HangingHome(folders.keeper(0), Duration.ofMillis(200));
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(0, hung);
        try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(4, 3, homes))) {
            hung.hang();
            BackgroundRebuild.start(storage, List.of(), SOON);
            StoreFiles.await(() -> lacking(storage, 1) == 0);
            hung.goOn();
        }
        try (DispersedStorage storage = folders.open()) {
            BackgroundRebuild.start(storage, List.of(), SOON);
            awaitNothingLacks(storage);
        }
        files.assertWhole(folders);
    }

    @Test
    void anotherWriterIsNotWrittenOver() throws IOException {
        RemovableFolders folders = owing(2, 2, 0);
        try (DispersedStorage storage = folders.open()) {
            int epoch = storage.keepers().epoch();
            Keeper keeper = storage.keepers().get(0).orElseThrow();
            keeper.setEpoch(epoch + 1);
            List<StoredFile> before = keeper.storage().list("files");
            assertThatThrownBy(() -> new Rebuild(storage, keeper, (done, total) -> {}).run())
                    .hasMessageContaining("another agent");
            assertThat(keeper.storage().list("files")).containsExactlyElementsOf(before);
        }
    }
}
