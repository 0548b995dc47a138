// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.HangingHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A keeper elsewhere that takes a question and never answers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungKeeperTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final Duration LIMIT = Duration.ofMillis(300);

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());

    private static ByteBuffer contents(DispersedStorage storage) throws IOException {
        return storage.read(CONTAINER).orElseThrow();
    }

    @Test
    void theStoreGoesOnWithoutItAndItIsGivenWhatItMissed() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        HangingHome hung = new HangingHome(folders.keeper(0), LIMIT);
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(0, hung);
        DispersalConfig config = new DispersalConfig(2, 2, homes);
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, 4_000_000));
        try (DispersedStorage storage = DispersedStorage.open(config)) {
            AppendableFile file = storage.create(CONTAINER, all.slice(0, 64));
            file.append(all.slice(64, 1_000_000));
            file.force();
            hung.hang();
            file.append(all.slice(1_000_064, 2_000_000));
            file.force();
            assertThat(file.isSound()).isTrue();
            assertThat(storage.keepers().changeable()).extracting(Keeper::index).containsExactly(1, 2, 3);
            long startNs = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(contents(storage)).isEqualTo(all.slice(0, 3_000_064));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                    .as("20 reads, of which each asks the hung keeper several times")
                    .isLessThan(LIMIT.multipliedBy(20));
            file.append(all.slice(3_000_064, 900_000));
            file.close();
        }
        hung.goOn();
        try (Scrub scrub = Scrub.open(folders.config(), true)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        folders.takeAway(1);
        folders.takeAway(2);
        try (DispersedStorage storage = folders.open()) {
            assertThat(contents(storage)).isEqualTo(all.slice(0, 3_900_064));
        }
    }

    @Test
    void whoReadsAFileWaitsForNoneThatItIsWrittenTo() throws Exception {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        HangingHome hung = new HangingHome(folders.keeper(0), Duration.ofSeconds(60));
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(0, hung);
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, 1_000_000));
        try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(2, 2, homes));
                AppendableFile file = storage.create(CONTAINER, all.slice(0, 700_000))) {
            file.append(all.slice(700_000, 200_000)); // They wait in memory.
            hung.hang();
            Thread writer = new Thread(() -> {
                try {
                    file.force();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.start();
            Thread.sleep(300);
            long startNs = System.nanoTime();
            assertThat(storage.size(CONTAINER)).isEqualTo(900_000);
            ByteBuffer read = ByteBuffer.allocate(300_000);
            try (ReadableFile reader = storage.open(CONTAINER)) {
                reader.readFully(read, 600_000);
            }
            assertThat(read.flip()).isEqualTo(all.slice(600_000, 300_000));
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(30));
            hung.goOn();
            writer.join();
            assertThat(contents(storage)).isEqualTo(all.slice(0, 900_000));
        }
    }

    @Test
    void oneThatHangsFromTheStartIsAway() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        folders.open().close();
        HangingHome hung = new HangingHome(folders.keeper(0), LIMIT);
        hung.hang();
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(0, hung);
        try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(2, 2, homes))) {
            assertThat(storage.keepers().whyAway(0)).contains("is not asked before it gives a sign of life");
            storage.replace("highest-id", ByteBuffer.allocate(8));
        }
        hung.goOn();
    }

    /** A store of 2 + 2 that has its bytes, of which keepers 1 and 3 are away and 0 may hang. */
    private DispersedStorage needing(HangingHome hung, ByteBuffer all) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open();
                AppendableFile file = storage.create(CONTAINER, all.slice(0, 64))) {
            file.append(all.slice(64, all.remaining() - 64));
        }
        folders.takeAway(1);
        folders.takeAway(3);
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(0, hung);
        return DispersedStorage.open(new DispersalConfig(2, 2, homes));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoNeedsItWaitsUntilItAnswersAgain(boolean anew) throws Exception {
        Duration limit = Duration.ofSeconds(1);
        HangingHome hung = new HangingHome(folder.resolve("keeper0"), limit);
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, 4_000_000));
        ByteBuffer read = ByteBuffer.allocate(1000);
        try (DispersedStorage storage = needing(hung, all);
                ReadableFile early = storage.open(CONTAINER)) {
            early.readFully(read, 0);
            hung.hang();
            Thread later = new Thread(() -> {
                Uninterruptibles.sleepUninterruptibly(limit.plus(limit.dividedBy(2)));
                hung.goOn();
            });
            later.start();
            read.clear();
            if (anew) {
                try (ReadableFile file = storage.open(CONTAINER)) {
                    file.readFully(read, 3_000_000);
                }
            } else {
                early.readFully(read, 3_000_000);
            }
            later.join();
        }
        assertThat(read.flip()).isEqualTo(all.slice(3_000_000, 1000));
    }

    @Test
    void whoNeedsItWaitsNoLongerThanForAnAnswer() throws IOException {
        HangingHome hung = new HangingHome(folder.resolve("keeper0"), LIMIT);
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, 4_000_000));
        try (DispersedStorage storage = needing(hung, all);
                ReadableFile file = storage.open(CONTAINER)) {
            hung.hang();
            try {
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(1000), 3_000_000))
                            .isNotInstanceOf(DamagedDataException.class)
                            .hasMessageContaining("2 keepers are needed and only 1 can be read now");
                }
            } finally {
                hung.goOn();
            }
        }
    }
}
