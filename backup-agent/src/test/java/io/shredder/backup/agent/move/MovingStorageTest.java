// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.HeldStorage;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two storages as one, while files go from the old one to the new one. */
class MovingStorageTest {

    private static final Set<String> OWN = Set.of("repository", MoveNote.FILE);
    private static final int FILES = 12;
    private static final int STEPS = 150;
    private static final int LONGEST = 40_000;
    private static final byte[] GONE = {};

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private final Map<String, byte[]> expected = new TreeMap<>();
    private final List<OpenReader> readers = new ArrayList<>();
    private int drafts;

    /** The file that is being changed, and what it may be while it isn't told that it was. */
    private String underWay = "";

    private final List<byte[]> possible = new ArrayList<>();

    /** A reader from before, and what it has to read. */
    private record OpenReader(ReadableFile file, byte[] content) {}

    @AfterEach
    void closeReaders() throws IOException {
        for (OpenReader reader : readers) {
            reader.file().close();
        }
    }

    @Nested
    class OfTwoFolders extends StorageContract {
        @Override
        protected Storage openEmpty(Path at) throws IOException {
            return new MovingStorage(local(at, "old"), local(at, "new"), OWN);
        }
    }

    @Nested
    class OfTwoDispersedStores extends StorageContract {
        @Override
        protected Storage openEmpty(Path at) throws IOException {
            return new MovingStorage(dispersed(at, "old", 2, 1), dispersed(at, "new", 3, 2), OWN);
        }
    }

    private static Storage local(Path at, String name) throws IOException {
        return new LocalStorage(Files.createDirectories(at.resolve(name)));
    }

    private static Storage dispersed(Path at, String name, int data, int parity) throws IOException {
        return RemovableFolders.make(at.resolve(name), data, parity).open();
    }

    @Test
    void whateverIsDoneBetweenMovesBothAreAsOneInFolders() throws IOException {
        try (Storage from = local(folder, "old");
                Storage to = local(folder, "new")) {
            behavesAsOne(from, to, STEPS);
        }
    }

    @Test
    void whateverIsDoneBetweenMovesBothAreAsOneInDispersedStores() throws IOException {
        try (Storage from = dispersed(folder, "old", 2, 1);
                Storage to = dispersed(folder, "new", 3, 2)) {
            behavesAsOne(from, to, STEPS);
        }
    }

    private void behavesAsOne(Storage from, Storage to, int steps) throws IOException {
        fill(from);
        MovingStorage storage = new MovingStorage(from, to, OWN);
        for (int i = 0; i < steps; i++) {
            step(storage);
            if (random.nextInt(10) == 0) {
                storage = new MovingStorage(from, to, OWN);
            }
            if (i % 10 == 0) {
                assertSame(storage);
            }
        }
        for (StoredFile file : storage.left()) {
            assertThat(storage.move(file.name(), this::copy)).isTrue();
        }
        assertSame(storage);
        assertThat(storage.left()).isEmpty();
        assertThat(storage.stale()).isEmpty();
        assertThat(from.list("")).isEmpty();
        assertSame(to);
    }

    private void fill(Storage from) throws IOException {
        for (int i = 0; i < FILES; i++) {
            byte[] content = content();
            from.publish(draft(content), name(i));
            expected.put(name(i), content);
        }
    }

    private static String name(int number) {
        return "folder" + number % 3 + "/file" + number;
    }

    private byte[] content() {
        return Samples.randomBytes(random, 1 + random.nextInt(LONGEST));
    }

    private Path draft(byte[] content) throws IOException {
        return Files.write(folder.resolve("draft" + drafts++), content);
    }

    private FileCopier.Copy copy(String name, ReadableFile file) throws IOException {
        byte[] content = contents(file);
        return content.length % 2 == 0
                ? to -> to.replace(name, ByteBuffer.wrap(content))
                : to -> to.publish(draft(content), name);
    }

    private static byte[] contents(ReadableFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
        file.readFully(bytes, 0);
        return bytes.array();
    }

    /** One thing that somebody does; what is expected follows it once it is done. */
    private void step(MovingStorage storage) throws IOException {
        String name = name(random.nextInt(FILES + 2));
        byte @Nullable [] now = expected.get(name);
        byte[] content = content();
        underWay = name;
        possible.clear();
        switch (random.nextInt(9)) {
            case 0 -> {
                possible.add(content);
                storage.replace(name, ByteBuffer.wrap(content));
                changed(name, content);
            }
            case 1 -> {
                possible.add(content);
                storage.publish(draft(content), name);
                changed(name, content);
            }
            case 2 -> {
                possible.addAll(List.of(content, both(content, content)));
                try (AppendableFile file = storage.create(name, ByteBuffer.wrap(content))) {
                    file.append(ByteBuffer.wrap(content));
                    file.force();
                }
                storage.endWriting(name);
                changed(name, both(content, content));
            }
            case 3 -> {
                if (now != null) {
                    possible.add(GONE);
                    storage.delete(name);
                    changed(name, null);
                }
            }
            case 4 -> {
                if (now != null) {
                    int length = 1 + random.nextInt(now.length);
                    possible.add(Arrays.copyOf(now, length));
                    storage.cut(name, length);
                    changed(name, Arrays.copyOf(now, length));
                }
            }
            case 5 -> {
                if (now != null) {
                    readers.add(new OpenReader(storage.open(name), now));
                }
            }
            case 6 -> storage.tidy(name);
            default -> storage.move(name, this::copy);
        }
    }

    private static byte[] both(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    /** Nobody promises anything to who reads a file that is changed. */
    private void changed(String name, byte @Nullable [] content) throws IOException {
        byte[] before = content == null ? expected.remove(name) : expected.put(name, content);
        for (OpenReader reader : List.copyOf(readers)) {
            if (reader.content() == before) {
                reader.file().close();
                readers.remove(reader);
            }
        }
    }

    private void assertSame(Storage storage) throws IOException {
        List<StoredFile> all = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : expected.entrySet()) {
            String name = file.getKey();
            byte[] content = file.getValue();
            all.add(new StoredFile(name, content.length));
            assertThat(storage.size(name)).isEqualTo(content.length);
            assertThat(storage.read(name)).contains(ByteBuffer.wrap(content));
            try (ReadableFile opened = storage.open(name)) {
                assertThat(contents(opened)).isEqualTo(content);
            }
        }
        assertThat(storage.list("")).containsExactlyInAnyOrderElementsOf(all);
        for (OpenReader reader : readers) {
            assertThat(contents(reader.file())).isEqualTo(reader.content());
        }
    }

    /** Of what was under way at a death the old or the new counts, and of all else what was before. */
    @Test
    void aDeathAnywhereLosesNothing() throws IOException {
        for (int deaths = 0; deaths < 150; deaths++) {
            expected.clear();
            try (Storage from = local(folder.resolve("death" + deaths), "old");
                    Storage to = local(folder.resolve("death" + deaths), "new")) {
                fill(from);
                AtomicInteger halves = new AtomicInteger(deaths);
                MovingStorage dying = new MovingStorage(
                        InstrumentedStorage.dying(from, halves), InstrumentedStorage.dying(to, halves), OWN);
                while (halves.get() >= 0) {
                    try {
                        step(dying);
                        possible.clear();
                    } catch (IOException e) {
                        assertThat(e).hasMessage("died");
                    }
                }
                readers.clear();
                MovingStorage storage = new MovingStorage(from, to, OWN);
                settle(storage);
                assertSame(storage);
                for (int i = 0; i < 20; i++) {
                    step(storage);
                }
                closeReaders();
                readers.clear();
                storage = new MovingStorage(from, to, OWN);
                assertSame(storage);
                behavesAsOneFrom(storage, from, to);
            }
        }
    }

    /** The one that was under way may be as it was, or as it was to be. */
    private void settle(Storage storage) throws IOException {
        byte[] found = storage.read(underWay).map(ByteBuffer::array).orElse(GONE);
        if (possible.stream().anyMatch(content -> Arrays.equals(content, found))) {
            expected.remove(underWay);
            if (found != GONE) {
                expected.put(underWay, found);
            }
        }
    }

    private void behavesAsOneFrom(MovingStorage storage, Storage from, Storage to) throws IOException {
        for (StoredFile file : storage.left()) {
            storage.move(file.name(), this::copy);
        }
        for (String file : storage.stale()) {
            storage.tidy(file);
        }
        assertThat(from.list("")).isEmpty();
        assertSame(to);
    }

    /** Something that is done to a file. */
    private interface Doing {
        void to(MovingStorage storage, String file) throws IOException;
    }

    @Test
    void whatIsChangedWhileItIsReadToBeMovedStaysAsItWasChanged() throws IOException {
        byte[] content = content();
        byte[] other = content();
        Map<Doing, byte[]> doings = Map.of(
                (storage, file) -> storage.replace(file, ByteBuffer.wrap(other)), other,
                (storage, file) -> storage.cut(file, 1), Arrays.copyOf(content, 1),
                (storage, file) -> storage.delete(file), GONE);
        try (Storage from = local(folder, "old");
                Storage to = local(folder, "new")) {
            for (Map.Entry<Doing, byte[]> doing : doings.entrySet()) {
                from.publish(draft(content), "a");
                MovingStorage storage = new MovingStorage(from, to, OWN);
                boolean moved = storage.move("a", (name, file) -> {
                    FileCopier.Copy copy = copy(name, file);
                    doing.getKey().to(storage, name);
                    return copy;
                });
                assertThat(moved).isFalse();
                assertThat(storage.read("a").map(ByteBuffer::array).orElse(GONE))
                        .isEqualTo(doing.getValue());
                if (doing.getValue() != GONE) {
                    storage.delete("a");
                }
            }
        }
    }

    @Test
    void whatTheNewStorageMayHaveSinceWritingItFailedIsNotDeletedBehindItsBack() throws IOException {
        byte[] content = content();
        byte[] other = content();
        try (Storage from = local(folder, "old");
                Storage to = local(folder, "new")) {
            from.publish(draft(content), "moved");
            from.publish(draft(content), "replaced");
            MovingStorage storage = new MovingStorage(from, failingBehind(to), OWN);
            assertThatThrownBy(() -> storage.move("moved", this::copy)).hasMessage("it is there, and nobody is told");
            assertThatThrownBy(() -> storage.replace("replaced", ByteBuffer.wrap(other)))
                    .hasMessage("it is there, and nobody is told");
            for (String file : List.of("moved", "replaced")) {
                assertThat(storage.read(file)).contains(ByteBuffer.wrap(content));
                assertThatThrownBy(() -> storage.delete(file)).hasMessageContaining("start the agent again");
                assertThatThrownBy(() -> storage.cut(file, 1)).hasMessageContaining("start the agent again");
            }
            MovingStorage again = new MovingStorage(from, to, OWN);
            assertThat(again.read("moved")).contains(ByteBuffer.wrap(content));
            again.delete("moved");
            again.delete("replaced");
            assertThat(new MovingStorage(from, to, OWN).list("")).isEmpty();
        }
    }

    private static Storage failingBehind(Storage storage) {
        return InstrumentedStorage.of(storage, (method, arguments, call) -> {
            Object result = call.make();
            if (Set.of("publish", "replace").contains(method)) {
                throw new IOException("it is there, and nobody is told");
            }
            return result;
        });
    }

    @Test
    void whoReadsAFileThatIsMovedReadsOnWhereItIsNow() throws IOException {
        byte[] content = content();
        try (Storage from = vanishing(local(folder, "old"));
                Storage to = local(folder, "new")) {
            from.publish(draft(content), "a");
            MovingStorage storage = new MovingStorage(from, to, OWN);
            try (ReadableFile reader = storage.open("a")) {
                assertThat(contents(reader)).isEqualTo(content);
                storage.move("a", this::copy);
                assertThat(contents(reader)).isEqualTo(content);
            }
        }
    }

    /** As on HDFS: who has a file open can't read it any more once it is deleted. */
    private static Storage vanishing(Storage storage) {
        return InstrumentedStorage.of(storage, (method, arguments, call) -> {
            Object result = call.make();
            if (!method.equals("open")) {
                return result;
            }
            ReadableFile file = (ReadableFile) result;
            return InstrumentedStorage.of(ReadableFile.class, file, (question, ignored, read) -> {
                if (!question.equals("close")) {
                    storage.size((String) arguments[0]);
                }
                return read.make();
            });
        });
    }

    @Test
    void theHoldIsTheNewOnesAndEachFileTellsItsOwn() throws IOException {
        UUID before = new UUID(0, 1);
        UUID now = new UUID(0, 2);
        Path old = Files.createDirectories(folder.resolve("old"));
        Path next = Files.createDirectories(folder.resolve("new"));
        Files.write(Files.createDirectories(old.resolve("a")).resolve("1"), new byte[] {1});
        Path draft = Files.write(folder.resolve("draft"), new byte[] {2});
        try (MovingStorage moving = new MovingStorage(
                HeldStorage.of(old, before, new HashMap<>(Map.of("a/1", before)), () -> false),
                HeldStorage.of(next, now, new HashMap<>(), () -> false),
                OWN)) {
            moving.publish(draft, "a/2");
            assertThat(moving.hold()).contains(now);
            assertThat(moving.writer("a/1")).contains(before);
            assertThat(moving.writer("a/2")).contains(now);
        }
    }
}
