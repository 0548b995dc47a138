// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link Storage} does. */
public abstract class StorageContract {

    private static final String FILE = "containers/00000/00000001.container";

    @TempDir
    Path folder;

    private Storage storage;

    /** A storage without files. */
    protected abstract Storage openEmpty(Path folder) throws Exception;

    @BeforeEach
    void open() throws Exception {
        storage = openEmpty(folder);
    }

    @AfterEach
    void close() throws IOException {
        storage.close();
    }

    private static ByteBuffer bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer both(ByteBuffer first, ByteBuffer second) {
        return ByteBuffer.allocate(first.remaining() + second.remaining())
                .put(first.duplicate())
                .put(second.duplicate())
                .flip();
    }

    private ByteBuffer contents(String file) throws IOException {
        try (ReadableFile opened = storage.open(file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) opened.size());
            opened.readFully(bytes, 0);
            return bytes.flip();
        }
    }

    @Test
    void whatWasForcedIsThereAndAtItsPlace() throws IOException {
        ByteBuffer head = bytes(64, 1);
        ByteBuffer more = bytes(3_000_000, 2);
        try (AppendableFile file = storage.create(FILE, head.duplicate())) {
            file.append(more.duplicate().limit(1_000_000));
            file.append(more.slice(1_000_000, 84), more.duplicate().position(1_000_084));
            file.writeBehind();
            file.force();
            assertThat(file.isSound()).isTrue();
            assertThat(contents(FILE)).isEqualTo(both(head, more));
        }
        assertThat(storage.size(FILE)).isEqualTo(3_000_064);
        assertThat(storage.list("containers")).containsExactly(new StoredFile(FILE, 3_000_064));
        try (ReadableFile opened = storage.open(FILE)) {
            Random random = new Random(3);
            for (int i = 0; i < 100; i++) {
                int at = random.nextInt(3_000_000);
                ByteBuffer part = ByteBuffer.allocate(Math.min(random.nextInt(1 << 16), 3_000_000 - at));
                opened.readFully(part, 64L + at);
                assertThat(part.flip()).isEqualTo(more.slice(at, part.limit()));
            }
        }
    }

    @Test
    void whatIsShownIsFoundByAReaderThatWasThereBefore() throws IOException {
        ByteBuffer head = bytes(64, 1);
        ByteBuffer more = bytes(3_000_000, 2);
        try (AppendableFile file = storage.create(FILE, head.duplicate())) {
            file.show();
            try (ReadableFile reader = storage.open(FILE)) {
                ByteBuffer first = ByteBuffer.allocate(64);
                reader.readFully(first, 0);
                assertThat(first.flip()).isEqualTo(head);
                if (file.canGrow()) {
                    file.append(more.duplicate());
                    file.show();
                    ByteBuffer then = ByteBuffer.allocate(3_000_000);
                    reader.readFully(then, 64);
                    assertThat(then.flip()).isEqualTo(more);
                }
            }
        }
    }

    @Test
    void aFileThatCantGrowAfterItWasForcedSaysSoAndOneThatCanDoes() throws IOException {
        ByteBuffer one = bytes(1000, 1);
        try (AppendableFile file = storage.create(FILE, one.duplicate())) {
            assertThat(file.canGrow()).isTrue();
            file.force();
            if (file.canGrow()) {
                file.append(one.duplicate());
                file.force();
                assertThat(contents(FILE)).isEqualTo(both(one, one));
            } else {
                assertThatThrownBy(() -> file.append(one.duplicate())).isInstanceOf(IOException.class);
                assertThat(contents(FILE)).isEqualTo(one);
            }
        }
    }

    @Test
    void aClosedFileIsResumedAtItsEndWhereThatCanBeDone() throws IOException {
        ByteBuffer one = bytes(1000, 1);
        storage.create(FILE, one.duplicate()).close();
        storage.endWriting(FILE);
        Optional<AppendableFile> resumed = storage.resume(FILE, 1000);
        assertThat(storage.resumes()).isEqualTo(resumed.isPresent());
        if (resumed.isPresent()) {
            try (AppendableFile file = resumed.get()) {
                file.append(one.duplicate());
                file.force();
            }
        }
        assertThat(contents(FILE)).isEqualTo(resumed.isPresent() ? both(one, one) : one);
    }

    @Test
    void readingBeyondTheEndGivesWhatThereIsAndThenFails() throws IOException {
        storage.create(FILE, bytes(100, 1)).close();
        try (ReadableFile opened = storage.open(FILE)) {
            ByteBuffer target = ByteBuffer.allocate(50);
            assertThatThrownBy(() -> opened.readFully(target, 80)).isInstanceOf(EOFException.class);
            assertThat(target.position()).isEqualTo(20);
            assertThatThrownBy(() -> opened.readFully(ByteBuffer.allocate(1), 100))
                    .isInstanceOf(EOFException.class);
            opened.readFully(ByteBuffer.allocate(0), 100);
        }
    }

    @Test
    void aReaderThatWasClosedSaysSo() throws IOException {
        storage.create(FILE, bytes(100, 1)).close();
        ReadableFile opened = storage.open(FILE);
        opened.close();
        assertThatThrownBy(() -> opened.readFully(ByteBuffer.allocate(10), 0))
                .isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void aTailIsCutOffAndTheRestStays() throws IOException {
        ByteBuffer all = bytes(200_000, 1);
        storage.create(FILE, all.duplicate()).close();
        storage.endWriting(FILE);
        storage.cut(FILE, 123_457);
        storage.force(FILE);
        assertThat(contents(FILE)).isEqualTo(all.slice(0, 123_457));
        assertThat(storage.list("containers")).containsExactly(new StoredFile(FILE, 123_457));
    }

    @Test
    void smallFilesAreReplacedWhole() throws IOException {
        assertThat(storage.read("highest-id")).isEmpty();
        storage.replace("highest-id", bytes(24, 1));
        storage.replace("highest-id", bytes(20, 2));
        assertThat(storage.read("highest-id")).contains(bytes(20, 2));
    }

    @Test
    void aPublishedFileHasItsNameAndContents() throws IOException {
        Instant before = Instant.now();
        Path draft = Files.write(folder.resolve("draft"), bytes(70_000, 4).array());
        storage.publish(draft, "snapshots/site1/vm/0000000000000001.snapshot");
        assertThat(contents("snapshots/site1/vm/0000000000000001.snapshot")).isEqualTo(bytes(70_000, 4));
        assertThat(storage.list("snapshots"))
                .containsExactly(new StoredFile("snapshots/site1/vm/0000000000000001.snapshot", 70_000));
        assertThat(storage.lastModified("snapshots/site1/vm/0000000000000001.snapshot"))
                .isBetween(before.minusSeconds(60), Instant.now().plusSeconds(60));
    }

    /** As a pack is in which a page was mended. */
    @Test
    void aPublishedFileTakesThePlaceOfOneThatIsThere() throws IOException {
        for (int seed = 1; seed <= 2; seed++) {
            Path draft = Files.write(
                    folder.resolve("draft-" + seed), bytes(70_000, seed).array());
            storage.publish(draft, "pages/0000000000000001.pages");
            assertThat(contents("pages/0000000000000001.pages")).isEqualTo(bytes(70_000, seed));
        }
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(() -> storage.open(FILE)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> storage.size(FILE)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> storage.delete(FILE)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> storage.lastModified(FILE)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void filesAreListedBelowTheirFolderAndDeletedOnesAreGone() throws IOException {
        assertThat(storage.list("containers")).isEmpty();
        storage.create(FILE, bytes(10, 1)).close();
        storage.create("containers/00001/00001000.container", bytes(20, 1)).close();
        storage.replace("repository", bytes(64, 1));
        assertThat(storage.list("containers"))
                .containsExactlyInAnyOrder(
                        new StoredFile(FILE, 10), new StoredFile("containers/00001/00001000.container", 20));
        storage.delete(FILE);
        assertThat(storage.list("containers"))
                .containsExactly(new StoredFile("containers/00001/00001000.container", 20));
        assertThat(storage.usableBytes()).isPositive();
    }
}
