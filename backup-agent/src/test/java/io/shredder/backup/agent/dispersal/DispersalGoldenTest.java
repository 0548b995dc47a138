// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.storage.AppendableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code testvectors/dispersal-v1}, written by another program from {@code docs/formats/dispersal.md}. */
class DispersalGoldenTest {

    private static final Path GOLDEN = Path.of("..", "testvectors", "dispersal-v1");
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

    @Test
    void theGoldenStoreIsRead() throws IOException {
        for (Path file : files(GOLDEN)) {
            Path copy = folder.resolve(file.toString());
            Files.createDirectories(copy.getParent());
            Files.copy(GOLDEN.resolve(file), copy);
        }
        for (int away = -1; away < 3; away++) {
            Folders folders = Folders.make(folder, 2, 1);
            if (away >= 0) {
                folders.takeAway(away);
            }
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.read(CONTAINER)).contains(container());
                assertThat(storage.read(SNAPSHOT)).contains(input(24, 700));
                assertThat(storage.read(SMALL)).contains(input(25, 24));
                assertThat(storage.keepers().all()).noneMatch(Keeper::isDamaged);
            }
            if (away >= 0) {
                folders.bringBack(away);
            }
        }
    }

    @Test
    void theSameIsWritten() throws IOException {
        Folders folders = Folders.make(folder.resolve("keepers"), 2, 1);
        Dispersal dispersal = new Dispersal(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 2, 1);
        for (int i = 0; i < 3; i++) {
            Keeper.make(folders.keeper(i), i, dispersal);
        }
        try (DispersedStorage storage = folders.open()) {
            try (AppendableFile file = storage.create(CONTAINER, input(21, 64))) {
                file.append(input(22, 1000));
                file.force();
                file.append(input(23, 129));
            }
            storage.publish(Files.write(folder.resolve("draft"), bytes(input(24, 700))), SNAPSHOT);
            storage.replace(SMALL, input(25, 24));
        }
        Path written = folder.resolve("keepers");
        for (int i = 0; i < 3; i++) {
            Files.delete(folders.keeper(i).resolve("lock"));
        }
        assertThat(files(written)).isEqualTo(files(GOLDEN)).hasSize(15);
        for (Path file : files(GOLDEN)) {
            assertThat(written.resolve(file)).as(file.toString()).hasSameBinaryContentAs(GOLDEN.resolve(file));
        }
    }
}
