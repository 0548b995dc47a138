// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.OtherKeeperException;
import io.shredder.backup.agent.dispersal.scrub.BackgroundRebuild;
import io.shredder.backup.agent.dispersal.scrub.RebuildReport;
import io.shredder.backup.agent.dispersal.scrub.Replacement;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store over keepers on other machines, of which some die, come back, are replaced, or are another agent's. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteKeepersTest {

    private static final String CONTAINER = "containers/00000/00000001.container";

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private final ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, 4_000_000));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private RemoteKeeperFolders keepers;

    @BeforeEach
    void start() throws IOException {
        keepers = new RemoteKeeperFolders(folder, 2, 2, 3);
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        keepers.close();
    }

    private void fill() throws IOException {
        try (DispersedStorage storage = keepers.open()) {
            AppendableFile file = storage.create(CONTAINER, all.duplicate());
            file.force();
            file.close();
            storage.replace("highest-id", all.slice(0, 24));
            storage.publish(Files.write(folder.resolve("draft"), new byte[500_000]), "snapshots/s/v/1.snapshot");
        }
    }

    private static ByteBuffer contents(DispersedStorage storage) throws IOException {
        return storage.read(CONTAINER).orElseThrow();
    }

    private boolean isSound() throws IOException {
        try (Scrub scrub = Scrub.open(keepers.config("agent1", new UUID(0, 1)), false)) {
            return scrub.run((done, total) -> {}).isSound();
        }
    }

    private void startAgain(int keeper) {
        try {
            keepers.start(keeper);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aReadWaitsForOneThatItNeedsAndThatIsStartedAgain() throws Exception {
        fill();
        ByteBuffer read = ByteBuffer.allocate(1000);
        try (DispersedStorage storage = keepers.open();
                ReadableFile file = storage.open(CONTAINER)) {
            for (int i = 0; i < 3; i++) {
                keepers.kill(i);
            }
            Future<?> started = CompletableFuture.runAsync(() -> {
                Uninterruptibles.sleepUninterruptibly(Duration.ofSeconds(1));
                startAgain(0);
            });
            file.readFully(read, 3_000_000);
            started.get();
        }
        assertThat(read.flip()).isEqualTo(all.slice(3_000_000, 1000));
    }

    /** All of them wait for one, and the first that hears of it is not the only one that has it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allReadsThatWaitForOneThatIsStartedAgainHaveIt(boolean othersDead) throws Exception {
        fill();
        try (DispersedStorage storage = keepers.open()) {
            if (!othersDead) { // What follows would be damage then, if the one did not come back.
                Files.delete(keepers.folders().shardOf(2, "00000001.container"));
                Files.delete(keepers.folders().shardOf(3, "00000001.container"));
            }
            List<ReadableFile> readers = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                readers.add(storage.open(CONTAINER));
            }
            for (int i = 0; i < (othersDead ? 3 : 1); i++) {
                keepers.kill(i);
            }
            List<Future<ByteBuffer>> reads = new ArrayList<>();
            for (int i = 0; i < readers.size(); i++) {
                int at = i * 500_000;
                ReadableFile file = readers.get(i);
                reads.add(threads.submit(() -> {
                    ByteBuffer read = ByteBuffer.allocate(1000);
                    file.readFully(read, at);
                    return read.flip();
                }));
            }
            Thread.sleep(1000);
            keepers.start(0);
            for (int i = 0; i < reads.size(); i++) {
                assertThat(reads.get(i).get()).isEqualTo(all.slice(i * 500_000, 1000));
            }
            for (ReadableFile file : readers) {
                file.close();
            }
        }
    }

    @Test
    void oneThatDiesInMidUseIsLeftOutAndIsGivenWhatItMissedOnceItIsBack() throws IOException {
        try (DispersedStorage storage = keepers.open()) {
            AppendableFile file = storage.create(CONTAINER, all.slice(0, 64));
            file.append(all.slice(64, 1_500_000));
            file.force();
            keepers.kill(1);
            file.append(all.slice(1_500_064, 1_500_000));
            file.force();
            assertThat(file.isSound()).isTrue();
            assertThat(storage.keepers().changeable()).extracting(Keeper::index).containsExactly(0, 2, 3);
            assertThat(contents(storage)).isEqualTo(all.slice(0, 3_000_064));
            keepers.start(1);
            file.append(all.slice(3_000_064, 999_936));
            file.close();
            assertThat(contents(storage)).isEqualTo(all);
        }
        try (Scrub scrub = Scrub.open(keepers.config("agent1", new UUID(0, 1)), true)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        keepers.kill(0);
        keepers.kill(2);
        try (DispersedStorage storage = keepers.open()) {
            assertThat(contents(storage)).isEqualTo(all);
        }
    }

    @Test
    void oneThatIsStartedAgainTakesPartAgainWhileTheStoreIsInUse() throws Exception {
        DispersalConfig config = keepers.config("agent1", new UUID(0, 1));
        try (DispersedStorage storage = DispersedStorage.open(config)) {
            BackgroundRebuild.start(storage, config.keepers());
            AppendableFile file = storage.create(CONTAINER, all.slice(0, 1_500_000));
            file.force();
            keepers.kill(1);
            file.append(all.slice(1_500_000, 1_500_000));
            file.force();
            assertThat(storage.keepers().changeable()).extracting(Keeper::index).containsExactly(0, 2, 3);
            keepers.start(1);
            while (storage.keepers().changeable().size() < 4) {
                Thread.sleep(20);
            }
            file.append(all.slice(3_000_000, 1_000_000));
            file.close();
            storage.replace("highest-id", all.slice(0, 24));
            while (!storage.keepersState().orElseThrow().isSound()) {
                Thread.sleep(20);
            }
        }
        assertThat(isSound()).isTrue();
        keepers.kill(0);
        keepers.kill(2);
        try (DispersedStorage storage = keepers.open()) {
            assertThat(contents(storage)).isEqualTo(all);
        }
    }

    @Test
    void ofAllThatAreThereAnyTwoGiveEverythingBack() throws IOException {
        fill();
        for (int gone : List.of(0, 1, 2)) {
            keepers.kill(gone);
            keepers.folders().takeAway(3);
            try (DispersedStorage storage = keepers.open()) {
                assertThat(contents(storage)).isEqualTo(all);
                assertThat(storage.read("highest-id")).contains(all.slice(0, 24));
                assertThatThrownBy(() -> storage.replace("highest-id", all.slice(0, 8)))
                        .hasMessageContaining("the store can be read, not changed");
            }
            keepers.start(gone);
            keepers.folders().bringBack(3);
        }
        assertThat(isSound()).isTrue();
    }

    @Test
    void anAgentOfAnotherNameIsToldWhoHasTheStoreAndThatItHasItNoMoreAfterTheOtherCame() throws IOException {
        fill();
        UUID holder = new UUID(0, 1);
        DispersedStorage first = DispersedStorage.open(keepers.config("agent1", holder));
        assertThatThrownBy(() -> DispersedStorage.open(keepers.config("agent2", new UUID(0, 2))))
                .isInstanceOf(OtherKeeperException.class)
                .hasMessageMatching("(?s).*(is held by agent1|is in use by this process already).*");
        // The same holder elsewhere, as after its machine was cut off: it takes the keepers over.
        keepers.folders().takeAway(3); // Its lock is this process's.
        try (DispersedStorage second = DispersedStorage.open(keepers.config("agent1", holder))) {
            second.replace("highest-id", all.slice(8, 24));
            assertThatThrownBy(() -> first.replace("highest-id", all.slice(16, 24)))
                    .isInstanceOf(IOException.class);
        }
        keepers.folders().bringBack(3);
        assertThatThrownBy(() -> first.replace("highest-id", all.slice(16, 24))).isInstanceOf(IOException.class);
        first.close();
        try (DispersedStorage third = keepers.open()) {
            assertThat(third.read("highest-id")).contains(all.slice(8, 24));
        }
    }

    @Test
    void aKeeperIsReplacedOntoAnotherMachineAndFromOne() throws IOException {
        fill();
        for (int place : List.of(3, 1)) {
            if (place == 1) {
                keepers.kill(place);
            }
            keepers.folders().exchange(place, "old" + place);
            if (place == 1) {
                keepers.start(place);
            }
            DispersalConfig config = keepers.config("agent1", UUID.randomUUID());
            try (Replacement replacement = Replacement.open(config, place, Clock.systemUTC())) {
                RebuildReport report = replacement.run((done, total) -> {});
                assertThat(report.left()).isEmpty();
                assertThat(report.whole()).isTrue();
            }
        }
        assertThat(isSound()).isTrue();
        keepers.kill(0);
        keepers.kill(2);
        try (DispersedStorage storage = keepers.open()) {
            assertThat(contents(storage)).isEqualTo(all);
        }
    }

    @Test
    void oneThatSaysAnEpochNobodyCanHaveReachedIsNotBelieved() throws IOException {
        fill();
        Files.write(
                keepers.folders().keeper(3).resolve("writer"),
                CheckedText.encoded("shredder-writer 1\nepoch 999999999\n"));
        try (DispersedStorage storage = keepers.open()) {
            assertThat(storage.keepers().epoch()).isEqualTo(2);
            assertThat(storage.keepers().changeable()).extracting(Keeper::index).containsExactly(0, 1, 2);
            storage.replace("highest-id", all.slice(0, 8));
        }
    }

    /** Keepers in local folders take any epoch that they are told. */
    @ParameterizedTest
    @ValueSource(ints = {999_999_999, 999_999_998})
    void asManyAsThereIsParityThatSayOneAreNotBelieved(int said) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder.resolve("local"), 4, 2);
        folders.open().close();
        for (int liar : List.of(4, 5)) {
            Files.write(
                    folders.keeper(liar).resolve("writer"),
                    CheckedText.encoded("shredder-writer 1\nepoch " + said + "\n"));
        }
        for (int epoch = 2; epoch < 5; epoch++) {
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.keepers().epoch()).isEqualTo(epoch);
                assertThat(storage.keepers().changeable()).hasSize(4);
            }
        }
    }

    @Test
    void aCopyIsNoLongerThanWhatIsReadOnAKeepersWord() throws IOException {
        fill();
        Path copy = keepers.folders().shardOf(0, "highest-id");
        try (RandomAccessFile claimed = new RandomAccessFile(copy.toFile(), "rw")) {
            claimed.setLength(1L << 40);
        }
        try (DispersedStorage storage = keepers.open()) {
            assertThat(storage.read("highest-id")).contains(all.slice(0, 24));
            assertThatThrownBy(() -> storage.replace("long", ByteBuffer.allocate(Copies.MAX_BYTES + 1)))
                    .hasMessageContaining("which no small file has");
        }
    }

    @Test
    void damageThereIsNamedByKeeperFileAndOffsetAndIsMended() throws IOException {
        fill();
        Path shard = keepers.folders().shardOf(0, "00000001.container");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[bytes.length - 10] ^= 1;
        Files.write(shard, bytes);
        DispersalConfig config = keepers.config("agent1", UUID.randomUUID());
        try (Scrub scrub = Scrub.open(config, true)) {
            assertThat(scrub.run((done, total) -> {}).findings()).anySatisfy(finding -> assertThat(finding.toString())
                    .contains(config.keepers().get(0) + "/files/containers/00000/00000001.container@")
                    .contains("offset"));
        }
        assertThat(isSound()).isTrue();
    }
}
