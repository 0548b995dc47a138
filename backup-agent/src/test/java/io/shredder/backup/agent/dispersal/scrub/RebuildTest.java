// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.HangingHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.ListedHome;
import io.shredder.backup.agent.storage.AppendableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A keeper is filled while the store is written, and while others can't be asked. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RebuildTest {

    private static final String OLD = "containers/00000/00000001.container";
    private static final String NEW = "containers/00000/00000002.container";

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());
    private final ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(random, 3_000_000));

    private RemovableFolders exchanged(int data, int parity, int place) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        try (DispersedStorage storage = folders.open();
                AppendableFile file = storage.create(OLD, all.slice(0, 700_000))) {
            file.force();
        }
        folders.exchange(place, "old");
        Replacement.open(folders.config(), place, Clock.systemUTC()).close();
        return folders;
    }

    private static RebuildReport fill(DispersedStorage storage, int place) throws IOException {
        Keeper keeper = storage.keepers().get(place).orElseThrow();
        return new Rebuild(storage, keeper, (done, total) -> {}).run();
    }

    private static DispersalConfig with(RemovableFolders folders, int place, KeeperHome home) {
        List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
        homes.set(place, home);
        return new DispersalConfig(folders.data(), folders.parity(), homes);
    }

    @Test
    void aFileThatBeginsWhileKeepersAreListedIsWrittenToTheEnd() throws IOException {
        for (int listed = 0; listed < 3; listed++) {
            aFileBeginsWhileKeepersAreListed(folder.resolve("" + listed), listed);
        }
    }

    private void aFileBeginsWhileKeepersAreListed(Path root, int listed) throws IOException {
        folder = root;
        RemovableFolders folders = exchanged(2, 1, 1);
        ListedHome home = new ListedHome(folders.keeper(listed));
        List<AppendableFile> begun = new ArrayList<>();
        try (DispersedStorage storage = DispersedStorage.open(with(folders, listed, home))) {
            home.meanwhile(() -> begun.add(storage.create(NEW, all.slice(0, 1_500_000))));
            assertThat(fill(storage, 1).whole()).isTrue();
            try (AppendableFile file = begun.get(0)) {
                file.append(all.slice(1_500_000, 1_500_000));
                file.force();
            }
        }
        for (int away = 0; away < folders.count(); away++) {
            folders.takeAway(away);
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.read(NEW)).as("without %d", away).contains(all);
                assertThat(storage.read(OLD)).contains(all.slice(0, 700_000));
            }
            folders.bringBack(away);
        }
    }

    @Test
    void itIsFilledWhileAnotherDoesNotAnswer() throws Exception {
        RemovableFolders folders = exchanged(2, 2, 0);
        HangingHome hung = new HangingHome(folders.keeper(3), Duration.ofMillis(200));
        try (DispersedStorage storage = DispersedStorage.open(with(folders, 3, hung))) {
            hung.hang();
            assertThat(fill(storage, 0).whole()).isTrue();
            hung.goOn();
        }
        folders.takeAway(2);
        folders.takeAway(3);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(OLD)).contains(all.slice(0, 700_000));
        }
    }

    @Test
    void itIsTriedAgainWhenTooFewOthersAnswered() throws Exception {
        RemovableFolders folders = exchanged(2, 1, 0);
        HangingHome hung = new HangingHome(folders.keeper(2), Duration.ofMillis(200));
        try (DispersedStorage storage = DispersedStorage.open(with(folders, 2, hung))) {
            Keeper keeper = storage.keepers().get(0).orElseThrow();
            hung.hang();
            assertThatThrownBy(() -> fill(storage, 0)).hasMessageContaining("too few");
            BackgroundRebuild.start(storage, List.of(), Duration.ofMillis(10));
            Thread.sleep(1000);
            assertThat(keeper.isWhole()).isFalse();
            hung.goOn();
            while (!keeper.isWhole()) {
                Thread.sleep(10);
            }
        }
    }
}
