// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.ListedHome;
import io.shredder.backup.agent.dispersal.home.StuckHome;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A keeper that was away, or failed, takes part again while the store is in use. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReturningKeepersTest {

    private static final Duration SOON = Duration.ofMillis(1);
    private static final String OLD = "snapshots/site1/vm/old.snapshot";
    private static final String CHANGED = "copies/changed";

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());
    private final TreeMap<String, ByteBuffer> kept = new TreeMap<>();
    private StoreFiles files;

    @BeforeEach
    void make() {
        files = new StoreFiles(folder, random, kept);
    }

    private static void start(DispersedStorage storage, RemovableFolders folders) {
        BackgroundRebuild.start(storage, folders.config().keepers(), SOON);
    }

    /** Whether they may come back is tried at each that is out. */
    private static void tryOnce(DispersedStorage storage, RemovableFolders folders) {
        new Readmission(storage, folders.config().keepers(), new Pauses(SOON), () -> false).run();
    }

    private static KeeperState state(DispersedStorage storage, int place) throws IOException {
        return storage.keepersState().orElseThrow().keepers().get(place);
    }

    private static void awaitWhole(DispersedStorage storage, int keepers) {
        StoreFiles.await(() -> storage.keepers().changeable().size() == keepers
                && storage.keepers().all().stream()
                        .allMatch(keeper ->
                                storage.versions().lacking().files(keeper).isEmpty()));
    }

    @Test
    void oneThatWasAwayAtTheOpeningTakesPartAgain() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 4, 2);
        try (DispersedStorage storage = folders.open()) {
            files.fill(storage, "before");
            files.publish(storage, OLD, 300_000);
            files.replace(storage, CHANGED);
        }
        folders.takeAway(2);
        try (DispersedStorage storage = folders.open()) {
            start(storage, folders);
            files.fill(storage, "meanwhile");
            storage.delete(OLD);
            kept.remove(OLD);
            files.replace(storage, CHANGED);
            assertThat(state(storage, 2).condition()).isEqualTo(Condition.AWAY);
            folders.bringBack(2);
            awaitWhole(storage, 6);
            assertThat(state(storage, 2).isSound()).isTrue();
            files.fill(storage, "since");
            assertThat(folders.files(2))
                    .as("what it missed and what came since, and nothing that was deleted")
                    .hasSameSizeAs(folders.files(0))
                    .noneMatch(file -> file.toString().contains("old.snapshot"));
            assertThat(folders.shardOf(2, "since.container")).exists();
        }
        files.assertWhole(folders);
    }

    @Test
    void oneThatFailedAChangeTakesPartAgainButNotInWhatWasBegun() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        String name = "containers/00000/half.container";
        try (DispersedStorage storage = folders.open()) {
            start(storage, folders);
            try (AppendableFile file = storage.create(name, files.bytes(1000))) {
                file.force();
                for (int i = 0; i < 9; i++) {
                    if (i == 3) {
                        Keeper before = storage.keepers().get(1).orElseThrow();
                        before.drop(new IOException("its disk was full"));
                        StoreFiles.await(() -> storage.keepers().changeable().size() == 4);
                        assertThat(storage.keepers().get(1).orElseThrow()).isNotSameAs(before);
                    }
                    file.append(files.bytes(400_000));
                    file.force();
                    files.publish(storage, "snapshots/site1/vm/" + i + ".snapshot", 3000);
                    assertThat(folders.shardOf(1, "/" + i + ".snapshot")).exists();
                }
                assertThat(state(storage, 1).condition()).isEqualTo(Condition.WHOLE);
                assertThat(state(storage, 1).lacking())
                        .as("what is being written")
                        .isEqualTo(1);
            }
            kept.put(name, storage.read(name).orElseThrow());
            awaitWhole(storage, 4);
        }
        files.assertWhole(folders);
    }

    @Test
    void aListingThatTimesOutEndsNothing() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        ListedHome listed = new ListedHome(folders.keeper(1));
        List<KeeperHome> homes = List.of(folders.home(0), listed, folders.home(2), folders.home(3));
        try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(2, 2, homes))) {
            BackgroundRebuild.start(storage, homes, SOON);
            for (int i = 0; i < 2; i++) {
                AtomicBoolean timedOut = new AtomicBoolean();
                listed.meanwhile(() -> {
                    timedOut.set(true);
                    throw new SocketTimeoutException("late");
                });
                storage.keepers().get(1).orElseThrow().drop(new IOException("its disk was full"));
                StoreFiles.await(timedOut::get);
                awaitWhole(storage, 4);
            }
        }
    }

    @Test
    void oneThatWasReplacedMeanwhileIsNotTakenBack() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            files.fill(storage, "before");
        }
        folders.exchange(1, "old");
        try (Replacement replacement = Replacement.open(folders.config(), 1, Clock.systemUTC())) {
            assertThat(replacement.run((done, total) -> {}).whole()).isTrue();
        }
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            Files.move(folder.resolve("old"), folders.keeper(1));
            Path writer = folders.keeper(1).resolve("writer");
            byte[] before = Files.readAllBytes(writer);
            files.fill(storage, "meanwhile");
            tryOnce(storage, folders);
            assertThat(storage.keepers().get(1)).isEmpty();
            assertThat(writer).hasBinaryContent(before);
            start(storage, folders);
            folders.exchange(1, "old");
            Files.delete(folders.keeper(1));
            folders.bringBack(1);
            awaitWhole(storage, 4);
        }
        files.assertWhole(folders);
    }

    @Test
    void oneAtWhichAnotherWriterWasIsNotTakenBack() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        folders.open().close();
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            folders.bringBack(1);
            Path writer = folders.keeper(1).resolve("writer");
            byte[] before = Files.readAllBytes(writer);
            Files.write(writer, StoreFiles.writer(storage.keepers().epoch() + 1));
            tryOnce(storage, folders);
            assertThat(storage.keepers().get(1)).isEmpty();
            Files.write(writer, before);
            tryOnce(storage, folders);
            assertThat(storage.keepers().get(1)).isPresent();
        }
    }

    @Test
    void aChangeThatFailedNeverCountsLaterThoughAsManyAsGiveItBackTookIt() throws IOException {
        String[] names = {CHANGED, OLD, OLD};
        for (int kind = 0; kind < names.length; kind++) {
            kept.clear();
            RemovableFolders folders = RemovableFolders.make(folder.resolve("" + kind), 2, 1);
            StuckHome stuck = new StuckHome(folders.keeper(2));
            List<KeeperHome> homes = List.of(folders.home(0), folders.home(1), stuck);
            String name = names[kind];
            try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(2, 1, homes))) {
                BackgroundRebuild.start(storage, homes, SOON);
                write(storage, kind, name);
                stuck.stick(true);
                ByteBuffer before = kept.get(name);
                int change = kind;
                assertThatThrownBy(() -> {
                            if (change == 2) {
                                storage.delete(name);
                            } else {
                                write(storage, change, name);
                            }
                        })
                        .hasMessageContaining("took a change");
                assertThat(kept.get(name)).isSameAs(before);
                stuck.stick(false);
                awaitWhole(storage, 3);
                if (kind < 2) {
                    storage.delete(name);
                    kept.remove(name);
                }
                files.fill(storage, "since");
            }
            try (DispersedStorage storage = folders.open()) {
                files.assertReads(storage);
                assertThat(storage.read(name).isPresent()).as("%d", kind).isEqualTo(kept.containsKey(name));
            }
            files.assertWhole(folders);
        }
    }

    private void write(DispersedStorage storage, int kind, String name) throws IOException {
        if (kind == 0) {
            files.replace(storage, name);
        } else {
            files.publish(storage, name, 300_000);
        }
    }

    @Test
    void theyGoAndComeWhileTheStoreIsWrittenReadAndDeleted() throws Exception {
        RemovableFolders folders = RemovableFolders.make(folder, 3, 3);
        boolean[] away = new boolean[folders.count()];
        for (int life = 0; life < 4; life++) {
            try (DispersedStorage storage = folders.open()) {
                start(storage, folders);
                for (int step = 0; step < 60; step++) {
                    int place = random.nextInt(folders.count());
                    long gone =
                            IntStream.range(0, away.length).filter(i -> away[i]).count();
                    if (away[place]) {
                        folders.bringBack(place);
                        away[place] = false;
                    } else if (gone < 2
                            && random.nextInt(3) == 0
                            && storage.keepersState().orElseThrow().spareToRead() > 0) {
                        folders.takeAway(place);
                        away[place] = true;
                    }
                    change(storage, life + "-" + step);
                    if (random.nextInt(4) == 0) {
                        files.assertReads(storage);
                    }
                }
            }
        }
        try (DispersedStorage storage = folders.open()) {
            start(storage, folders);
            for (int place = 0; place < away.length; place++) {
                if (away[place]) {
                    folders.bringBack(place);
                }
            }
            awaitWhole(storage, folders.count());
            files.assertReads(storage);
        }
        files.assertWhole(folders);
    }

    /** Refused while too few take changes, which is as it should be; nothing is half done then. */
    private void change(DispersedStorage storage, String tag) throws IOException {
        String some = kept.isEmpty() ? "" : List.copyOf(kept.keySet()).get(random.nextInt(kept.size()));
        try {
            switch (random.nextInt(4)) {
                case 0 -> files.append(storage, "containers/00000/" + tag + ".container", 3);
                case 1 -> files.publish(storage, "snapshots/site1/vm/" + tag + ".snapshot", 300_000);
                case 2 -> files.replace(storage, CHANGED);
                default -> {
                    if (!some.isEmpty() && random.nextInt(3) == 0) {
                        storage.delete(some);
                        kept.remove(some);
                    }
                }
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("keepers took a change");
        }
    }
}
