// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.Versions;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.DiskImage.Loss;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of 2 + 2 keepers 1 was away while something was written, and then 0 and 2 die: 3 alone has it. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GiveUpTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final String OTHER = "snapshots/site1/vm/0000000000000002.snapshot";
    private static final String SMALL = "highest-id";

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());
    private final TreeMap<String, ByteBuffer> kept = new TreeMap<>();

    private ByteBuffer bytes(int length) {
        return ByteBuffer.wrap(Samples.randomBytes(random, length));
    }

    private void publish(DispersedStorage storage, String name) throws IOException {
        kept.put(name, bytes(10_000));
        storage.publish(Files.write(folder.resolve("draft"), kept.get(name).array()), name);
    }

    private RemovableFolders stuck() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            kept.put(CONTAINER, bytes(5000));
            try (AppendableFile file =
                    storage.create(CONTAINER, kept.get(CONTAINER).duplicate())) {
                file.force();
            }
            publish(storage, SNAPSHOT);
            kept.put(SMALL, bytes(20));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            publish(storage, OTHER);
        }
        folders.bringBack(1);
        folders.exchange(0, "old0");
        folders.exchange(2, "old2");
        return folders;
    }

    private static boolean replace(RemovableFolders folders, int place) throws IOException {
        try (Replacement replacement = Replacement.open(folders.config(), place, Clock.systemUTC())) {
            return replacement.run((done, total) -> {}).whole();
        }
    }

    private static Versions.Doubt giveUp(RemovableFolders folders, String file) throws IOException {
        try (GiveUp givingUp = GiveUp.open(folders.config(), file)) {
            givingUp.run();
            return givingUp.doubt();
        }
    }

    private void assertEveryChoiceReads(RemovableFolders folders) throws IOException {
        for (List<Integer> those : RemovableFolders.choices(4, 2)) {
            List<Integer> away = folders.takeAwayAllBut(those);
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.list("")).hasSize(kept.size());
                for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
                    assertThat(storage.read(file.getKey())).as(file.getKey()).contains(file.getValue());
                }
            }
            folders.bringBack(away);
        }
    }

    @Test
    void whatNobodyCanTellAnyMoreIsGivenUpAndThenEverythingGoesOn() throws IOException {
        RemovableFolders folders = stuck();
        assertThatThrownBy(() -> giveUp(folders, OTHER))
                .hasMessageContaining("keeper 0 may have " + OTHER)
                .hasMessageContaining("replace-keeper");
        assertThat(replace(folders, 0)).isFalse();
        assertThatThrownBy(() -> giveUp(folders, OTHER)).hasMessageContaining("keeper 2 may have " + OTHER);
        assertThat(replace(folders, 2)).isFalse();
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.list("snapshots"))
                    .hasMessageContaining(OTHER + " may be at more than the 1");
        }
        assertThatThrownBy(() -> giveUp(folders, SNAPSHOT))
                .hasMessageContaining("nothing is to be given up of " + SNAPSHOT);
        assertThatThrownBy(() -> giveUp(folders, "never/was")).hasMessageContaining("nothing is to be given up");
        Versions.Doubt doubt = giveUp(folders, OTHER);
        assertThat(doubt.version().name()).isEqualTo(OTHER);
        assertThat(doubt.before()).isEmpty();
        kept.remove(OTHER);
        assertThatThrownBy(() -> giveUp(folders, OTHER)).hasMessageContaining("nothing is to be given up");
        assertThat(replace(folders, 0)).isTrue();
        assertThat(replace(folders, 2)).isTrue();
        try (Scrub scrub = Scrub.open(folders.config(), true)) {
            scrub.run((done, total) -> {});
        }
        try (Scrub scrub = Scrub.open(folders.config(), false)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        assertEveryChoiceReads(folders);
        for (int i = 0; i < 4; i++) {
            assertThat(folders.files(i).toString()).doesNotContain("0002.snapshot");
        }
    }

    @Test
    void theVersionBeforeCountsAgainWhereItIsStillThere() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 2, 2);
        ByteBuffer first = bytes(9000);
        try (DispersedStorage storage = folders.open()) {
            try (AppendableFile file = storage.create(CONTAINER, first.slice(0, 64))) {
                file.append(first.slice(64, 9000 - 64));
                file.force();
            }
            kept.put(SMALL, bytes(20));
            storage.replace(SMALL, kept.get(SMALL).duplicate());
        }
        // It is cut while 1 is away; what 3 had before comes back, as from an agent that died before it was taken away.
        Path before = folders.shardOf(3, "container");
        byte[] shard = Files.readAllBytes(before);
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            storage.cut(CONTAINER, 4000);
        }
        folders.bringBack(1);
        Files.write(before, shard);
        folders.exchange(0, "old0");
        folders.exchange(2, "old2");
        assertThat(replace(folders, 0)).isFalse();
        assertThat(replace(folders, 2)).isFalse();
        Versions.Doubt doubt = giveUp(folders, CONTAINER);
        assertThat(doubt.before()).isPresent();
        assertThat(doubt.before().get()).isLessThan(doubt.version());
        kept.put(CONTAINER, first);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(CONTAINER)).contains(first);
        }
        assertThat(replace(folders, 0)).isTrue();
        assertThat(replace(folders, 2)).isTrue();
        try (Scrub scrub = Scrub.open(folders.config(), true)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        assertEveryChoiceReads(folders);
    }

    /** As if the keeper had been there before: durably. */
    private static void put(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            DurableFiles.writeFully(channel, ByteBuffer.wrap(bytes), 0);
            channel.force(true);
        }
        DurableFiles.forceFolder(DurableFiles.folderOf(file));
    }

    private static void take(Path file) throws IOException {
        Files.delete(file);
        DurableFiles.forceFolder(DurableFiles.folderOf(file));
    }

    private static void empty(Path keeper) throws IOException {
        try (Stream<Path> all = Files.walk(keeper)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(keeper)) {
                    take(each);
                }
            }
        }
    }

    /** Leaves the newest version of the container at keeper 3 alone, and the one before at 1 and 3, or nowhere. */
    private void live(RemovableFolders folders, boolean withVersionBefore) throws IOException {
        ByteBuffer first = bytes(2000);
        try (DispersedStorage storage = folders.open()) {
            try (AppendableFile file = storage.create(CONTAINER, first.duplicate())) {
                file.force();
            }
            publish(storage, SNAPSHOT);
        }
        Map<Path, byte[]> before = new HashMap<>();
        for (int keeper : new int[] {1, 3}) {
            Path shard = folders.shardOf(keeper, "container");
            before.put(shard, Files.readAllBytes(shard));
        }
        try (DispersedStorage storage = folders.open()) {
            storage.cut(CONTAINER, 1000);
        }
        take(folders.shardOf(1, "container"));
        for (Map.Entry<Path, byte[]> shard : before.entrySet()) {
            if (withVersionBefore) {
                put(shard.getKey(), shard.getValue());
                kept.put(CONTAINER, first);
            }
        }
        for (int dead : new int[] {0, 2}) {
            empty(folders.keeper(dead));
        }
        assertThat(replace(folders, 0)).isFalse();
        assertThat(replace(folders, 2)).isFalse();
    }

    @InTurn(days = 3)
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPowerLossAtAnyChangeLeavesTheFileInDoubtOrGivenUp(boolean withVersionBefore) throws IOException {
        RecordedFiles files = new RecordedFiles(Files.createDirectory(folder.resolve("lived")));
        RemovableFolders lived = RemovableFolders.make(files.root(), 2, 2);
        live(lived, withVersionBefore);
        files.mark("giving up");
        giveUp(lived, CONTAINER);
        lived.open().close(); // Takes away what was given up.
        DiskImage disk = new DiskImage();
        boolean givingUp = false;
        int deaths = 0;
        int inDoubt = 0;
        for (DiskChange change : files.changes()) {
            disk.apply(change);
            givingUp |= change instanceof DiskChange.Mark;
            if (!givingUp) {
                continue;
            }
            for (Loss loss : List.of(Loss.ALL_UNFORCED, Loss.TORN_LAST_WRITE, Loss.ANY_UNFORCED)) {
                if (!LongTests.tries(random, 3)) {
                    continue;
                }
                Path left = folder.resolve("left" + deaths++);
                disk.writeTo(left, loss, random);
                RemovableFolders folders = RemovableFolders.make(left, 2, 2);
                boolean doubtful;
                try (DispersedStorage storage = folders.open()) {
                    doubtful = storage.versions().doubt(CONTAINER).isPresent();
                }
                if (doubtful) {
                    inDoubt++;
                    giveUp(folders, CONTAINER);
                }
                try (DispersedStorage storage = folders.open()) {
                    assertThat(storage.list("")).as("death %d %s", deaths, loss).hasSize(kept.size());
                    for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
                        assertThat(storage.read(file.getKey()))
                                .as("death %d %s: %s", deaths, loss, file.getKey())
                                .contains(file.getValue());
                    }
                }
            }
        }
        assertThat(inDoubt).isBetween(1, deaths - 1);
    }
}
