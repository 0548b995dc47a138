// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a move begins, goes on and ends, and who is refused meanwhile. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreMoveTest {

    private static final String HEADER = "repository";
    private static final int FILES = 20;
    private static final int BYTES = 100_000;

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private final UUID repository = new UUID(1, 2);
    private final Map<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void fill() throws IOException {
        try (Storage old = storage("old")) {
            old.replace(
                    HEADER, new FileHeader(FileHeader.REPOSITORY_MAGIC, FileHeader.VERSION, 0, repository).encode());
            for (int i = 0; i < FILES; i++) {
                byte[] content = Samples.randomBytes(random, i % 2 == 0 ? BYTES : 100);
                files.put("containers/" + i, content);
                old.replace("containers/" + i, ByteBuffer.wrap(content));
            }
        }
    }

    private Storage storage(String name) throws IOException {
        Path root = folder.resolve(name);
        Files.createDirectories(root.resolve("containers"));
        return new LocalStorage(root);
    }

    private StoreMove.Place place(String name) {
        return new StoreMove.Place("test:" + name, () -> storage(name));
    }

    private StoreMove move() {
        return new StoreMove(HEADER, folder.resolve("scratch"), OptionalLong.empty());
    }

    private StoreMove slowly() {
        return new StoreMove(HEADER, folder.resolve("scratch"), OptionalLong.of(1));
    }

    private void awaitDone() throws IOException {
        try (Storage to = storage("new")) {
            while (!MoveNote.read(to).orElseThrow().done()) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(2));
            }
        }
    }

    private void assertAll(Storage storage) throws IOException {
        assertThat(storage.list("containers").stream().map(StoredFile::name))
                .filteredOn(name -> !name.endsWith(".tmp")) // As LocalStorage replaces small files.
                .hasSize(FILES);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(storage.read(file.getKey())).contains(ByteBuffer.wrap(file.getValue()));
        }
    }

    @Test
    void allFilesGoToTheNewStoreWhichThenIsWhole() throws IOException {
        try (Storage both = move().open(place("old"), place("new"))) {
            assertAll(both);
            awaitDone();
            assertAll(both);
        }
        assertThat(folder.resolve("scratch")).doesNotExist();
        try (Storage to = storage("new");
                Storage from = storage("old")) {
            move().requireWhole(to, "test:new");
            assertAll(to);
            assertThat(FileHeader.read(to.read(HEADER).orElseThrow(), FileHeader.REPOSITORY_MAGIC, HEADER)
                            .repository())
                    .isEqualTo(repository);
            assertThat(from.list("")).extracting(StoredFile::name).containsExactly(HEADER);
        }
        StoreMove.Place gone = new StoreMove.Place("test:old", () -> {
            throw new AssertionError("the old store isn't needed any more");
        });
        try (Storage to = move().open(gone, place("new"))) {
            assertAll(to);
        }
    }

    @Test
    void untilThenWhoNamesOneStoreOrTwoOthersIsRefusedByName() throws IOException {
        slowly().open(place("old"), place("new")).close();
        try (Storage to = storage("new");
                Storage from = storage("old")) {
            assertThatThrownBy(() -> move().requireWhole(to, "test:new"))
                    .hasMessageContaining("test:old")
                    .hasMessageContaining("--moves-from");
            assertThatThrownBy(() -> move().requireWhole(from, "test:old"))
                    .hasMessageContaining("name store test:new with --store");
            assertThatThrownBy(
                            () -> FileHeader.read(from.read(HEADER).orElseThrow(), FileHeader.REPOSITORY_MAGIC, HEADER))
                    .as("a program of before")
                    .hasMessageContaining("255");
        }
        assertThatThrownBy(() -> move().open(place("other"), place("new"))).hasMessageContaining("test:old");
        assertThatThrownBy(() -> move().open(place("old"), place("third"))).hasMessageContaining("test:new");
        assertThatThrownBy(() -> move().open(place("empty"), place("third"))).hasMessageContaining("no repository");
        storage("used").replace("containers/7", ByteBuffer.wrap(new byte[1]));
        assertThatThrownBy(() -> move().open(place("old2"), place("used"))).hasMessageContaining("no repository");
        try (Storage other = storage("old2")) {
            other.replace(
                    HEADER, new FileHeader(FileHeader.REPOSITORY_MAGIC, FileHeader.VERSION, 0, repository).encode());
        }
        assertThatThrownBy(() -> move().open(place("old2"), place("used"))).hasMessageContaining("containers/7");
        assertThatThrownBy(() -> move().open(place("new"), place("third")))
                .as("it has not come to an end")
                .hasMessageContaining("test:old");
        try (Storage both = move().open(place("old"), place("new"))) {
            assertAll(both);
            awaitDone();
        }
        try (Storage further = move().open(place("new"), place("third"))) {
            assertAll(further);
        }
        assertThatThrownBy(() -> move().open(place("old"), place("new")))
                .as("it has gone on from there")
                .hasMessageContaining("name store test:third");
    }

    @Test
    void aDeathWhileItBeginsLeavesTheOldStoreOrGoesOn() throws IOException {
        for (int halves = 0; halves < 6; halves++) {
            AtomicInteger left = new AtomicInteger(halves);
            String from = "old";
            String to = "new" + halves;
            assertThatThrownBy(() -> move().open(
                                    new StoreMove.Place(
                                            "test:" + from, () -> InstrumentedStorage.dying(storage(from), left)),
                                    new StoreMove.Place(
                                            "test:" + to, () -> InstrumentedStorage.dying(storage(to), left))))
                    .as("%d", halves)
                    .hasMessage("died");
            try (Storage old = storage(from)) {
                if (halves < 5) {
                    move().requireWhole(old, "test:old");
                } else {
                    assertThatThrownBy(() -> move().requireWhole(old, "test:old"))
                            .hasMessageContaining(to);
                }
            }
        }
        try (Storage both = move().open(place("old"), place("new5"))) {
            assertAll(both);
        }
    }

    @Test
    void aDeathAnywhereBehindThatGoesOn() throws IOException {
        boolean ended = false;
        for (int deaths = 0; !ended; deaths++) {
            AtomicInteger left = new AtomicInteger(deaths == 0 ? 1000 : random.nextInt(12));
            try (Storage both = (deaths == 0 ? slowly() : move())
                    .open(
                            new StoreMove.Place("test:old", () -> InstrumentedStorage.dying(storage("old"), left)),
                            new StoreMove.Place("test:new", () -> InstrumentedStorage.dying(storage("new"), left)))) {
                assertAll(both);
                while (deaths > 0 && left.get() >= 0 && !done()) {
                    Thread.onSpinWait();
                }
            }
            ended = done();
        }
        try (Storage to = storage("new")) {
            assertAll(to);
        }
    }

    private boolean done() throws IOException {
        try (Storage to = storage("new")) {
            return MoveNote.read(to).orElseThrow().done();
        }
    }

    @Test
    void theNotesAreAsTheyAreDescribed() throws IOException {
        UUID id = UUID.fromString("00000000-0000-0001-0000-000000000002");
        try (Storage to = storage("new")) {
            new MoveNote(id, "disperse:/etc/old.yaml", false).write(to);
            assertThat(text(to, MoveNote.FILE))
                    .startsWith("shredder-moving 1\nmove " + id + "\nfrom disperse:/etc/old.yaml\nstate begun\ncheck ");
            new MoveNote(id, "disperse:/etc/old.yaml", true).write(to);
            assertThat(text(to, MoveNote.FILE)).contains("\nstate done\n");
            assertThat(MoveNote.read(to)).contains(new MoveNote(id, "disperse:/etc/old.yaml", true));
            to.replace(HEADER, new MovedHeader(id, "disperse:/etc/new.yaml").encode());
            assertThat(text(to, HEADER).substring(FileHeader.BYTES))
                    .startsWith("shredder-moved 1\nto disperse:/etc/new.yaml\ncheck ");
            assertRefusedWithAnyByteFlipped(to, MoveNote.FILE);
            assertRefusedWithAnyByteFlipped(to, HEADER);
        }
    }

    private static String text(Storage storage, String file) throws IOException {
        return StandardCharsets.ISO_8859_1
                .decode(storage.read(file).orElseThrow())
                .toString();
    }

    private void assertRefusedWithAnyByteFlipped(Storage storage, String file) throws IOException {
        byte[] sound = storage.read(file).orElseThrow().array();
        for (int at = 0; at < sound.length; at++) {
            byte[] damaged = sound.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            storage.replace(file, ByteBuffer.wrap(damaged));
            assertThatThrownBy(() -> move().requireWhole(storage, "test:new"))
                    .as("%s, byte %d", file, at)
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining(file);
        }
        for (int length = 0; length < sound.length; length++) {
            storage.replace(file, ByteBuffer.wrap(sound, 0, length));
            assertThatThrownBy(() -> move().requireWhole(storage, "test:new"))
                    .as("%s of %d bytes", file, length)
                    .isInstanceOf(DamagedDataException.class);
        }
        storage.replace(file, ByteBuffer.wrap(sound));
    }
}
