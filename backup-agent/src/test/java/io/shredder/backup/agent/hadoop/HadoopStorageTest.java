// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.lease.StoreLease;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Hadoop's local file system, which has no hsync. HDFS, also erasure-coded, has an integration test. */
class HadoopStorageTest extends StorageContract {

    private static final UUID AGENT = new UUID(1, 1);
    private static final UUID OTHER = new UUID(2, 2);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    /** Looks at the owner file before every change. */
    private static final StoreLease.Timing WARY = new StoreLease.Timing(SHORT, Duration.ZERO, LONG);

    @TempDir
    private Path stores;

    @Override
    protected Storage openEmpty(Path folder) throws IOException {
        return HadoopStorage.open(folder.resolve("store").toUri(), AGENT);
    }

    private HadoopStorage open(UUID agent, StoreLease.Timing timing) throws IOException {
        return HadoopStorage.open(stores.resolve("s").toUri(), agent, timing);
    }

    private void ownerIs(String text) throws IOException {
        Files.createDirectories(stores.resolve("s"));
        Files.deleteIfExists(stores.resolve("s/.owner.crc"));
        Files.writeString(stores.resolve("s/owner"), text);
    }

    @Test
    void aSecondAgentIsKeptOutWhileTheFirstLives() throws IOException {
        try (HadoopStorage first = open(AGENT, new StoreLease.Timing(SHORT, LONG, LONG))) {
            assertThatThrownBy(() -> open(OTHER, WARY))
                    .hasMessageContaining(
                            "is in use by process " + ProcessHandle.current().pid() + " on ")
                    .hasMessageContaining("stop that agent first");
            first.replace("highest-id", ByteBuffer.allocate(1));
            first.create("containers/00000/00000001.container", ByteBuffer.allocate(10))
                    .close();
            assertThat(first.list(""))
                    .as("without what is the storage's own")
                    .extracting(StoredFile::name)
                    .containsExactlyInAnyOrder("highest-id", "containers/00000/00000001.container");
        }
        try (HadoopStorage then = open(OTHER, WARY)) {
            assertThat(then.read("highest-id")).isPresent();
        }
    }

    /** The owner file is replaced all the time; a folder may be removed by an administrator. */
    @Test
    void whatGoesAwayWhileItIsListedHidesNothingElse() throws Exception {
        try (HadoopStorage storage = open(AGENT, new StoreLease.Timing(Duration.ofMillis(1), LONG, LONG))) {
            storage.replace("highest-id", ByteBuffer.allocate(1));
            storage.replace("a/stays", ByteBuffer.allocate(1));
            AtomicBoolean done = new AtomicBoolean();
            Thread other = new Thread(() -> comeAndGo(stores.resolve("s"), done));
            other.start();
            try {
                for (int i = 0; i < 200; i++) {
                    assertThat(storage.list("")).extracting(StoredFile::name).contains("highest-id", "a/stays");
                }
            } finally {
                done.set(true);
                other.join();
            }
        }
    }

    private static void comeAndGo(Path store, AtomicBoolean done) {
        try {
            for (int i = 0; !done.get(); i++) {
                Path folder = Files.createDirectories(store.resolve("b" + i));
                Path file = Files.createFile(folder.resolve("file"));
                Files.delete(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aDeadAgentsStoreIsTakenOverAfterAWhileAndByItsOwnSuccessorAtOnce() throws IOException {
        ownerIs("agent " + OTHER + "\nprocess 1 on elsewhere\nsession x\nbeat 7\n");
        open(AGENT, new StoreLease.Timing(SHORT, LONG, SHORT)).close();
        ownerIs("agent " + AGENT + "\nprocess 1 on here\nsession x\nbeat 7\n");
        open(AGENT, new StoreLease.Timing(Duration.ofSeconds(1), LONG, LONG)).close();
        ownerIs("rubbish");
        open(AGENT, new StoreLease.Timing(SHORT, LONG, SHORT)).close();
        assertThat(stores.resolve("s/owner")).doesNotExist();
    }

    /** Renewed only by what it is asked for: a renewal under way would write over the other's file. */
    @Test
    void whoeverHasLostTheStoreChangesNothingAnyMore() throws IOException {
        try (HadoopStorage storage = open(AGENT, new StoreLease.Timing(LONG, Duration.ZERO, LONG))) {
            AppendableFile file = storage.create("containers/a", ByteBuffer.allocate(10));
            file.close();
            String others = "agent " + OTHER + "\nprocess 1 on elsewhere\nsession x\nbeat 7\n";
            ownerIs(others);
            assertThatThrownBy(() -> storage.delete("containers/a")).hasMessageContaining("process 1 on elsewhere");
            assertThatThrownBy(() -> storage.create("containers/b", ByteBuffer.allocate(10)))
                    .hasMessageContaining("was taken over");
            assertThatThrownBy(() -> storage.replace("highest-id", ByteBuffer.allocate(1)))
                    .hasMessageContaining("was taken over");
            assertThatThrownBy(() -> storage.cut("containers/a", 5)).hasMessageContaining("was taken over");
            assertThat(storage.list("containers")).containsExactly(new StoredFile("containers/a", 10));
            storage.close();
            assertThat(stores.resolve("s/owner")).hasContent(others);
        }
    }

    @Test
    void aFileOfAnotherWriterIsNeverReplaced() throws IOException {
        try (HadoopStorage storage = open(AGENT, WARY)) {
            storage.create("containers/a", ByteBuffer.allocate(10)).close();
            assertThatThrownBy(() -> storage.create("containers/a", ByteBuffer.allocate(3)))
                    .isInstanceOf(IOException.class);
            assertThat(storage.size("containers/a")).isEqualTo(10);
        }
    }

    @Test
    void aFolderWithOtherThingsAndTheRootAreRefused() throws IOException {
        Files.createDirectories(stores.resolve("s"));
        Files.writeString(stores.resolve("s/photo.jpg"), "x");
        assertThatThrownBy(() -> open(AGENT, WARY)).hasMessageContaining("is not a repository and not empty");
        assertThatThrownBy(() -> HadoopStorage.open(Path.of("/").toUri(), AGENT))
                .hasMessageContaining("name a folder");
    }

    @Test
    void whatWasLeftHalfWrittenIsClearedAway() throws IOException {
        open(AGENT, WARY).close();
        Path left = stores.resolve("s/incoming/half");
        Files.createDirectories(stores.resolve("s/incoming"));
        Files.writeString(stores.resolve("s/repository"), "x");
        Files.writeString(left, "x");
        open(AGENT, WARY).close();
        assertThat(left).doesNotExist();
    }
}
