// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.index.IndexKeyFile;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkStoreTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int CONTAINER_BYTES = 2000;

    @TempDir
    private Path root;

    private ContainerFolder containers;
    private RepositoryIndex index;
    private List<StoredChunk> chunks;

    @BeforeEach
    void prepare() throws IOException {
        index = new RepositoryIndex(root, root.resolve("key"));
        containers = new ContainerFolder(new LocalStorage(root), REPOSITORY);

        Files.createDirectories(index.folder());
        LogStructuredIndex.create(index.folder(), REPOSITORY, IndexKeyFile.create(index.keyFile()));
        chunks = Samples.chunks(new Random(5), 12, 300);
    }

    private ChunkStore open() throws IOException {
        return ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), CONTAINER_BYTES);
    }

    /** The index's files as they are now. */
    private Map<Path, byte[]> indexFiles() throws IOException {
        Map<Path, byte[]> files = new TreeMap<>();
        try (Stream<Path> paths = Files.list(index.folder())) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                files.put(path, Files.readAllBytes(path));
            }
        }
        return files;
    }

    private void restoreIndex(Map<Path, byte[]> files) throws IOException {
        for (Path path : indexFiles().keySet()) {
            Files.delete(path);
        }
        for (Map.Entry<Path, byte[]> file : files.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
    }

    private static boolean has(ChunkStore store, StoredChunk chunk) throws IOException {
        return store.index().find(chunk.ref().fingerprint()).isPresent();
    }

    private static void assertReadable(ChunkStore store, StoredChunk chunk) throws Exception {
        try (ContainerReader reader = store.newReader()) {
            var location = store.index().find(chunk.ref().fingerprint()).orElseThrow();
            assertThat(reader.read(chunk.ref().fingerprint(), location).stored().view())
                    .isEqualTo(chunk.stored().view());
        }
    }

    private Path container(int number) {
        return root.resolve(containers.name(number));
    }

    @Test
    void chunksAreReadBackAlsoAfterReopening() throws Exception {
        try (ChunkStore store = open()) {
            for (StoredChunk chunk : chunks) {
                store.put(chunk);
                store.put(chunk);
            }
            for (StoredChunk chunk : chunks) {
                assertReadable(store, chunk);
            }
        }
        try (ChunkStore store = open()) {
            assertThat(store.index().size()).isEqualTo(chunks.size());
            for (StoredChunk chunk : chunks) {
                assertReadable(store, chunk);
            }
        }
        assertThat(containers.numbers()).hasSizeGreaterThan(1);
    }

    @Test
    void aContainerHasExactlyTheDocumentedBytes() throws IOException {
        try (ChunkStore store = open()) {
            store.put(chunks.get(0));
        }
        byte[] bytes = Files.readAllBytes(container(1));
        StoredChunk chunk = chunks.get(0);
        assertThat(bytes).hasSize(64 + 84 + chunk.stored().length());
        assertThat(new String(bytes, 0, 8, java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("SHRDCONT");
        assertThat(new String(bytes, 64, 4, java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("CHNK");
        assertThat(Arrays.copyOfRange(bytes, 72, 104))
                .isEqualTo(chunk.ref().fingerprint().toBytes());
        assertThat(Arrays.copyOfRange(bytes, 104, 136))
                .isEqualTo(chunk.storedDigest().toBytes());
        assertThat(bytes[64 + 76]).isEqualTo((byte) chunk.codec().code());
    }

    /** Leaves two synced chunks and two that were put after the sync, as a crash would. Returns where the synced part ends. */
    private int crashAfterSync() throws IOException {
        ChunkStore store = open();
        store.put(chunks.get(0));
        store.put(chunks.get(1));
        store.sync();
        int synced = (int) Files.size(container(1));
        Map<Path, byte[]> indexed = indexFiles();
        store.put(chunks.get(2));
        store.put(chunks.get(3));
        byte[] container = Files.readAllBytes(container(1));
        store.close();
        restoreIndex(indexed);
        Files.write(container(1), container);
        return synced;
    }

    @Test
    void aTailCutAnywhereKeepsEveryWholeChunkAndGoesOn() throws Exception {
        int synced = crashAfterSync();
        Map<Path, byte[]> indexed = indexFiles();
        byte[] container = Files.readAllBytes(container(1));
        int third = synced + 84 + chunks.get(2).stored().length();
        for (int length = synced; length <= container.length; length++) {
            restoreIndex(indexed);
            Files.write(container(1), Arrays.copyOf(container, length));
            try (ChunkStore store = open()) {
                assertThat(has(store, chunks.get(1))).isTrue();
                assertThat(has(store, chunks.get(2))).as("cut to " + length).isEqualTo(length >= third);
                assertThat(has(store, chunks.get(3))).isEqualTo(length == container.length);
                store.put(chunks.get(2));
                store.put(chunks.get(4));
            }
            try (ChunkStore store = open()) {
                for (int i : new int[] {0, 1, 2, 4}) {
                    assertReadable(store, chunks.get(i));
                }
            }
        }
    }

    @Test
    void aFlipInTheTailLosesOnlyWhatWasNeverPromised() throws Exception {
        int synced = crashAfterSync();
        Map<Path, byte[]> indexed = indexFiles();
        byte[] container = Files.readAllBytes(container(1));
        for (int at = synced; at < container.length; at++) {
            byte[] flipped = container.clone();
            flipped[at] ^= 0x04;
            restoreIndex(indexed);
            Files.write(container(1), flipped);
            try (ChunkStore store = open()) {
                assertReadable(store, chunks.get(0));
                assertReadable(store, chunks.get(1));
                assertThat(has(store, chunks.get(3))).as("flip at " + at).isFalse();
                if (has(store, chunks.get(2))) {
                    assertReadable(store, chunks.get(2));
                }
            }
        }
    }

    @Test
    void aContainerCutBeforeItsSyncedEndIsRefusedByName() throws IOException {
        int synced = crashAfterSync();
        byte[] container = Files.readAllBytes(container(1));
        for (int length = 0; length < synced; length++) {
            Files.write(container(1), Arrays.copyOf(container, length));
            int size = length;
            assertThatThrownBy(this::open).isInstanceOfSatisfying(DamagedDataException.class, e -> {
                assertThat(e.source()).isEqualTo("containers/00000/00000001.container");
                assertThat(e.offset()).isEqualTo(size);
            });
        }
        Files.delete(container(1));
        assertThatThrownBy(this::open).hasMessageContaining("the container is missing");
    }

    @Test
    void everyFlippedByteOfTheSyncedPartIsFoundByReading() throws Exception {
        int synced = crashAfterSync();
        byte[] container = Files.readAllBytes(container(1));
        int secondAt = 64 + 84 + chunks.get(0).stored().length();
        for (int at = 0; at < synced; at++) {
            byte[] flipped = container.clone();
            flipped[at] ^= 0x20;
            Files.write(container(1), flipped);
            try (ChunkStore store = open()) {
                StoredChunk hit = at < secondAt ? chunks.get(0) : chunks.get(1);
                assertThatThrownBy(() -> assertReadable(store, hit)).as("flip at " + at);
                if (at >= 64) {
                    assertReadable(store, at < secondAt ? chunks.get(1) : chunks.get(0));
                }
            }
        }
    }

    @Test
    void aLostLastIndexBatchIsMadeUpForByTheContainers() throws Exception {
        try (ChunkStore store = open()) {
            for (StoredChunk chunk : chunks) {
                store.put(chunk);
                if (store.index().size() % 3 == 0) {
                    store.sync();
                }
            }
        }
        Map<Path, byte[]> indexed = indexFiles();
        Path log = indexed.keySet().stream()
                .filter(file -> file.toString().endsWith(".log"))
                .findFirst()
                .orElseThrow();
        byte[] whole = indexed.get(log);
        for (int length = whole.length - 1; length > whole.length - 150; length--) {
            restoreIndex(indexed);
            Files.write(log, Arrays.copyOf(whole, length));
            try (ChunkStore store = open()) {
                assertThat(store.index().size()).as("cut to " + length).isEqualTo(chunks.size());
            }
        }
    }

    @Test
    void aNewContainerWithoutAWholeHeaderIsDroppedAndMadeAgain() throws Exception {
        int synced = crashAfterSync();
        Files.write(container(1), Arrays.copyOf(Files.readAllBytes(container(1)), synced));
        Map<Path, byte[]> indexed = indexFiles();
        byte[] first = Files.readAllBytes(container(1));
        byte[] header = Arrays.copyOf(first, 64);
        for (int length = 0; length < 64; length++) {
            restoreIndex(indexed);
            Files.write(container(1), first);
            Files.write(container(2), Arrays.copyOf(header, length));
            try (ChunkStore store = open()) {
                assertThat(store.index().size()).isEqualTo(2);
                assertThat(container(2)).doesNotExist();
                chunks.forEach(chunk -> putUnchecked(store, chunk));
            }
            try (ChunkStore store = open()) {
                for (StoredChunk chunk : chunks) {
                    assertReadable(store, chunk);
                }
            }
            Files.deleteIfExists(container(2));
            for (int number : containers.numbers()) {
                if (number > 1) {
                    Files.delete(container(number));
                }
            }
        }
    }

    private static void putUnchecked(ChunkStore store, StoredChunk chunk) {
        try {
            store.put(chunk);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void rebuildingGivesTheSameIndexAndNamesDamage() throws Exception {
        try (ChunkStore store = open()) {
            chunks.forEach(chunk -> putUnchecked(store, chunk));
        }
        restoreIndex(Map.of());
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            IndexRebuild.Result result = new IndexRebuild(containers, index, lock).run();
            assertThat(result.chunks()).isEqualTo(chunks.size());
            assertThat(result.damage()).isEmpty();
        }
        try (ChunkStore store = open()) {
            for (StoredChunk chunk : chunks) {
                assertReadable(store, chunk);
            }
        }
        byte[] first = Files.readAllBytes(container(1));
        first[64 + 84] ^= 1;
        Files.write(container(1), first);
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            IndexRebuild.Result result = new IndexRebuild(containers, index, lock).run();
            assertThat(result.chunks()).isEqualTo(chunks.size() - 1L);
            assertThat(result.damage())
                    .singleElement()
                    .asString()
                    .contains("00000001.container: damaged at offset 148")
                    .endsWith("it is left out");
        }
        try (ChunkStore store = open()) {
            chunks.forEach(chunk -> putUnchecked(store, chunk));
            for (StoredChunk chunk : chunks) {
                assertReadable(store, chunk);
            }
        }
    }
}
