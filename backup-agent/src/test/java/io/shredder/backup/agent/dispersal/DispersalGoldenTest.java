// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.scrub.Replacement;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.storage.AppendableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code testvectors/dispersal} and {@code dispersal-replaced}, written by another program from the format's page. */
class DispersalGoldenTest {

    private static final Path GOLDEN = Path.of("..", "testvectors", "dispersal");
    private static final Path REPLACED = Path.of("..", "testvectors", "dispersal-replaced");
    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final String SMALL = "highest-id";

    @TempDir
    Path folder;

    /** The standard splitmix64 sequence, as {@code testvectors/README.md} has it. */
    private static ByteBuffer input(long seed, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long state = seed; bytes.position() < length; ) {
            state += 0x9E3779B97F4A7C15L;
            long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            bytes.putLong(mixed ^ (mixed >>> 31));
        }
        return bytes.rewind().limit(length).slice().order(ByteOrder.BIG_ENDIAN);
    }

    private static ByteBuffer container() {
        return ByteBuffer.allocate(64 + 1000 + 129)
                .put(input(21, 64))
                .put(input(22, 1000))
                .put(input(23, 129))
                .flip();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(root::relativize)
                    .sorted()
                    .toList();
        }
    }

    private RemovableFolders copied(Path golden) throws IOException {
        for (Path file : files(golden)) {
            Path copy = folder.resolve(file.toString());
            Files.createDirectories(copy.getParent());
            Files.copy(golden.resolve(file), copy);
        }
        return RemovableFolders.make(folder, 2, 1);
    }

    private static void assertReads(DispersedStorage storage) throws IOException {
        assertThat(storage.read(CONTAINER)).contains(container());
        assertThat(storage.read(SNAPSHOT)).contains(input(24, 700));
        assertThat(storage.read(SMALL)).contains(input(25, 24));
        assertThat(storage.keepers().all()).noneMatch(keeper -> keeper.damagedPlaces() > 0);
    }

    @Test
    void theGoldenStoreIsRead() throws IOException {
        RemovableFolders folders = copied(GOLDEN);
        for (int away = -1; away < 3; away++) {
            if (away >= 0) {
                folders.takeAway(away);
            }
            try (DispersedStorage storage = folders.open()) {
                assertReads(storage);
            }
            if (away >= 0) {
                folders.bringBack(away);
            }
        }
    }

    @Test
    void theGoldenStoreInWhichKeepersWereReplacedIsReadAndFilled() throws IOException {
        RemovableFolders folders = copied(REPLACED);
        folders.takeAway(0);
        try (DispersedStorage storage = folders.open()) {
            assertReads(storage);
        }
        folders.bringBack(0);
        try (DispersedStorage storage = folders.open()) {
            assertReads(storage);
            assertThat(storage.keepers().all()).extracting(Keeper::isWhole).containsExactly(false, true, true);
        }
        try (Replacement replacement = Replacement.open(folders.config(), 0, Clock.systemUTC())) {
            assertThat(replacement.run((done, total) -> {}).whole()).isTrue();
        }
        folders.takeAway(1);
        try (DispersedStorage storage = folders.open()) {
            assertReads(storage);
        }
        for (Path file : folders.files(0)) {
            assertThat(file)
                    .hasSameBinaryContentAs(GOLDEN.resolve("keeper0")
                            .resolve(folders.keeper(0).relativize(file).toString()));
        }
    }

    @Test
    void theSameIsWritten() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder.resolve("keepers"), 2, 1);
        Dispersal dispersal = new Dispersal(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 2, 1);
        for (int i = 0; i < 3; i++) {
            try (HeldHome held = folders.home(i).hold()) {
                Keeper.make(held, KeeperIdentity.first(dispersal, i), 0);
            }
        }
        fill(folders);
        assertSame(folders, GOLDEN, 15);

        folders.exchange(1, "old1");
        Clock first = Clock.fixed(Instant.parse("2026-11-26T09:00:00.123Z"), ZoneOffset.UTC);
        try (Replacement replacement = Replacement.open(folders.config(), 1, first)) {
            assertThat(replacement.run((done, total) -> {}).whole()).isTrue();
        }
        folders.exchange(0, "old0");
        Clock second = Clock.fixed(Instant.parse("2026-11-27T10:30:00Z"), ZoneOffset.UTC);
        Replacement.open(folders.config(), 0, second).close();
        assertSame(folders, REPLACED, 13);
    }

    private void fill(RemovableFolders folders) throws IOException {
        try (DispersedStorage storage = folders.open()) {
            try (AppendableFile file = storage.create(CONTAINER, input(21, 64))) {
                file.append(input(22, 1000));
                file.force();
                file.append(input(23, 129));
            }
            storage.publish(Files.write(folder.resolve("draft"), bytes(input(24, 700))), SNAPSHOT);
            storage.replace(SMALL, input(25, 24));
        }
    }

    private void assertSame(RemovableFolders folders, Path golden, int count) throws IOException {
        List<Path> found = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Files.delete(folders.keeper(i).resolve("lock"));
            for (Path file : files(folders.keeper(i))) {
                found.add(Path.of("keeper" + i).resolve(file));
            }
        }
        assertThat(found).isEqualTo(files(golden)).hasSize(count);
        for (Path file : found) {
            assertThat(folder.resolve("keepers").resolve(file))
                    .as(file.toString())
                    .hasSameBinaryContentAs(golden.resolve(file));
        }
    }
}
