// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.scrub.BackgroundRebuild;
import io.shredder.backup.agent.dispersal.scrub.Replacement;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.powerloss.RecordedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeeperStatesTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final String SMALL = "highest-id";

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());

    private ByteBuffer bytes(int length) {
        return ByteBuffer.wrap(Samples.randomBytes(random, length));
    }

    private void publish(DispersedStorage storage, String name) throws IOException {
        storage.publish(Files.write(folder.resolve("draft"), bytes(10_000).array()), name);
    }

    private void fill(DispersedStorage storage) throws IOException {
        try (AppendableFile file = storage.create(CONTAINER, bytes(64))) {
            file.append(bytes(10_000));
            file.force();
        }
        publish(storage, SNAPSHOT);
        storage.replace(SMALL, bytes(24));
    }

    private static KeepersState state(DispersedStorage storage) throws IOException {
        return storage.keepersState().orElseThrow();
    }

    private static KeeperState of(DispersedStorage storage, int place) throws IOException {
        return state(storage).keepers().get(place);
    }

    /** Whether it can be written, whether read, and how many more may die until either ends. */
    private static void assertSpare(DispersedStorage storage, boolean writable, int write, boolean readable, int read)
            throws IOException {
        KeepersState state = state(storage);
        assertThat(List.of(state.writable(), state.spareToWrite(), state.readable(), state.spareToRead()))
                .as("%s", state)
                .containsExactly(writable, write, readable, read);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "2, 1, 0", "1, 2, 0", "2, 2, 1", "4, 2, 1", "5, 3, 2", "3, 5, 2"})
    void aWholeStoreSaysHowManyMayDieAndThatManyMay(int data, int parity, int spareToWrite) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
            KeepersState state = state(storage);
            assertThat(state.isSound()).as("%s", state).isTrue();
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(state.keepers()).allMatch(keeper -> keeper.condition() == Condition.WHOLE);
            assertThat(state.keepers())
                    .extracting(KeeperState::home)
                    .containsExactlyElementsOf(folders.config().keepers().stream()
                            .map(KeeperHome::toString)
                            .toList());
            assertSpare(storage, true, spareToWrite, true, parity);
            for (int dead = 0; dead < spareToWrite; dead++) {
                folders.takeAway(dead);
                assertSpare(storage, true, spareToWrite - dead - 1, true, parity - dead - 1);
                storage.replace(SMALL, bytes(10));
            }
            folders.takeAway(spareToWrite);
            assertSpare(storage, false, 0, true, parity - spareToWrite - 1);
            assertThatThrownBy(() -> storage.replace(SMALL, bytes(10))).hasMessageContaining("are needed");
            for (int dead = spareToWrite + 1; dead < parity; dead++) {
                folders.takeAway(dead);
                assertSpare(storage, false, 0, true, parity - dead - 1);
                assertThat(storage.read(SNAPSHOT)).isPresent();
            }
            folders.takeAway(parity);
            assertSpare(storage, false, 0, false, 0);
            assertThatThrownBy(() -> storage.read(SNAPSHOT)).hasMessageContaining("bring back");
        }
    }

    @Test
    void oneThatIsAwayIsNamedWithItsFolderAndWhatItMissesIsCounted() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 4, 2);
        folders.open().close();
        folders.takeAway(3);
        try (DispersedStorage storage = folders.open()) {
            assertThat(of(storage, 3).condition()).isEqualTo(Condition.AWAY);
            assertThat(of(storage, 3).home()).isEqualTo(folders.keeper(3).toString());
            assertThat(of(storage, 3).why()).isEqualTo(folders.keeper(3) + " isn't there, or is no keeper's folder");
            assertThat(of(storage, 3).lacking()).isZero();
            assertSpare(storage, true, 0, true, 1);
            fill(storage);
            publish(storage, SNAPSHOT);
            assertThat(of(storage, 3).lacking()).isEqualTo(3);
            storage.delete(SNAPSHOT);
            assertThat(of(storage, 3).lacking()).isEqualTo(2);
            assertSpare(storage, true, 0, true, 1);
        }
        folders.bringBack(3);
        try (DispersedStorage storage = folders.open()) {
            // The small file was given to it; of the container it lacks its shard, so only one of the others may die.
            assertThat(of(storage, 3).condition()).isEqualTo(Condition.WHOLE);
            assertThat(of(storage, 3).lacking()).isEqualTo(1);
            assertThat(state(storage).isSound()).isFalse();
            assertSpare(storage, true, 1, true, 1);
            storage.delete(CONTAINER);
            assertThat(state(storage).isSound()).isTrue();
            assertSpare(storage, true, 1, true, 2);
        }
    }

    @Test
    void oneThatLacksTheEndOfAFileLacksTheFile() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open();
                AppendableFile file = storage.create(CONTAINER, bytes(64))) {
            file.append(bytes(5000));
            folders.takeAway(1);
            file.force();
            folders.bringBack(1);
            assertThat(of(storage, 1).condition()).isEqualTo(Condition.LEFT_OUT);
            assertThat(of(storage, 1).lacking()).as("while it grows").isEqualTo(1);
            file.close();
            assertThat(of(storage, 1).lacking()).as("when it is closed").isEqualTo(1);
            assertSpare(storage, true, 0, true, 1);
        }
        try (DispersedStorage storage = folders.open()) {
            assertThat(of(storage, 1).lacking()).isEqualTo(1);
            assertThat(of(storage, 0).lacking()).isZero();
            assertSpare(storage, true, 1, true, 1);
        }
    }

    @Test
    void oneThatFailedAChangeIsLeftOutAndSaysWhyAndSinceWhen() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
            Instant before = Instant.now();
            Path files = folders.keeper(2).resolve("files");
            Files.move(files, folder.resolve("aside"));
            Files.writeString(files, "no folder");
            storage.replace(SMALL, bytes(3));
            KeeperState left = of(storage, 2);
            assertThat(left.condition()).isEqualTo(Condition.LEFT_OUT);
            assertThat(left.why()).contains(files.toString());
            assertThat(left.since().orElseThrow()).isBetween(before, Instant.now());
            assertThat(left.lacking()).isEqualTo(1);
            assertSpare(storage, true, 0, true, 1);
            Files.delete(files);
            Files.move(folder.resolve("aside"), files);
            assertThat(of(storage, 2).condition()).isEqualTo(Condition.LEFT_OUT);
        }
    }

    @Test
    void oneThatCantBeReadOrDoesntAnswerIsSilent() throws IOException {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        RecordedFiles files = new RecordedFiles(disk);
        RemovableFolders folders = RemovableFolders.make(files.root(), 2, 1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
        }
        try (DispersedStorage storage = folders.open()) {
            files.hang(folders.keeper(1));
            KeepersState hung = state(storage);
            assertThat(hung.keepers().get(1).condition()).isEqualTo(Condition.SILENT);
            assertThat(hung.keepers().get(1).why()).isEqualTo("it doesn't answer");
            assertThat(hung.keepers().get(0).condition()).isEqualTo(Condition.WHOLE);
            assertThat(List.of(hung.writable(), hung.readable())).containsExactly(false, true);
            assertThat(hung.spareToRead()).isZero();
            files.hang(null);
            assertThat(state(storage).isSound()).isTrue();
            String shard = disk.relativize(
                            disk.resolve(folders.shardOf(0, "container").toString()))
                    .toString();
            files.lose(shard, 0);
            assertThat(storage.read(CONTAINER)).isPresent();
            assertThat(of(storage, 0).condition()).as("a bad sector is damage").isEqualTo(Condition.WHOLE);
            assertThat(of(storage, 0).damaged()).isEqualTo(1);
            Path other = disk.resolve(folders.shardOf(0, "snapshots").toString());
            Files.delete(other);
            Files.createDirectory(other);
            assertThat(storage.read(SNAPSHOT)).isPresent();
            KeeperState silent = of(storage, 0);
            assertThat(silent.condition()).isEqualTo(Condition.SILENT);
            assertThat(silent.why()).isEqualTo("Is a directory");
            assertThat(silent.since()).isPresent();
            assertSpare(storage, true, 0, true, 0);
        } finally {
            files.hang(null);
        }
    }

    @Test
    void damageIsCountedByPlaces() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
        }
        for (String file : List.of("container", "snapshot")) {
            Path shard = folders.shardOf(0, file);
            byte[] bytes = Files.readAllBytes(shard);
            bytes[bytes.length - 1] ^= 1;
            Files.write(shard, bytes);
        }
        try (DispersedStorage storage = folders.open()) {
            assertThat(of(storage, 0).damaged()).isZero();
            // What is late on a busy machine is not looked at.
            for (int i = 0; i < 2 || i < 20 && of(storage, 0).damaged() < 2; i++) {
                storage.read(CONTAINER);
                storage.read(SNAPSHOT);
            }
            assertThat(of(storage, 0).damaged()).isEqualTo(2);
            assertThat(of(storage, 0).condition()).isEqualTo(Condition.WHOLE);
            assertThat(state(storage).isSound()).isFalse();
        }
    }

    @Test
    void aNewOneIsBeingFilledAndWholeInTheEnd() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
        }
        folders.exchange(1, "old");
        Replacement.open(folders.config(), 1, Clock.systemUTC()).close();
        try (DispersedStorage storage = folders.open()) {
            KeeperState filling = of(storage, 1);
            assertThat(filling.condition()).isEqualTo(Condition.FILLING);
            assertThat(filling.lacking()).as("the container and the snapshot").isEqualTo(2);
            assertThat(List.of(filling.filledBytes(), filling.toFillBytes())).containsExactly(0L, 0L);
            assertSpare(storage, true, 1, true, 1);
            BackgroundRebuild.start(storage, List.of());
            while (of(storage, 1).condition() == Condition.FILLING) {
                KeeperState more = of(storage, 1);
                assertThat(more.filledBytes()).isLessThanOrEqualTo(more.toFillBytes());
                Thread.onSpinWait();
            }
            assertThat(of(storage, 1).condition()).isEqualTo(Condition.WHOLE);
            assertThat(state(storage).isSound()).isTrue();
            assertSpare(storage, true, 1, true, 2);
        }
    }

    @Test
    void whatANewOneHasIsReadThoughItIsNotToSpare() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        folders.exchange(1, "old");
        Replacement.open(folders.config(), 1, Clock.systemUTC()).close();
        try (DispersedStorage storage = folders.open()) {
            publish(storage, SNAPSHOT);
            folders.takeAway(0);
            assertSpare(storage, true, 0, true, 0);
            folders.takeAway(2);
            assertSpare(storage, false, 0, true, 0);
            assertThat(storage.read(SNAPSHOT)).isPresent();
            assertThat(of(storage, 1).condition()).isEqualTo(Condition.FILLING);
            folders.takeAway(1);
            assertSpare(storage, false, 0, false, 0);
            assertThatThrownBy(() -> storage.read(SNAPSHOT)).hasMessageContaining("bring back");
        }
    }

    @Test
    void aStoreThatIsOnlyReadSaysSo() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
        }
        folders.takeAway(0);
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            folders.bringBack(0);
            folders.bringBack(1);
            assertThat(state(storage).epoch()).isZero();
            assertThat(of(storage, 0).condition())
                    .as("it was not there when the store was opened")
                    .isEqualTo(Condition.AWAY);
            assertSpare(storage, false, 0, true, 0);
        }
    }

    @Test
    void aFileThatNobodyCanTellMakesTheStoreUnreadable() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            fill(storage);
        }
        folders.bringBack(1);
        folders.takeAway(0);
        folders.takeAway(2);
        try (DispersedStorage storage = folders.open()) {
            assertThat(state(storage).undecided())
                    .as("the container and the snapshot")
                    .isEqualTo(2);
            assertSpare(storage, false, 0, false, 0);
        }
    }
}
