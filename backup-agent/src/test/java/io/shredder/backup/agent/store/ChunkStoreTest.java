// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.index.IndexKeyFile;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkStoreTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int CONTAINER_BYTES = 2000;
    private static final int CHUNKS = 24;

    @TempDir
    private Path root;

    private ContainerFolder containers;
    private RepositoryIndex index;
    /** Of 24 chunks. */
    private List<StoredRegion> regions;

    @BeforeEach
    void prepare() throws IOException {
        index = new RepositoryIndex(root, root.resolve("key"));
        containers = new ContainerFolder(new LocalStorage(root), REPOSITORY);

        Files.createDirectories(index.folder());
        LogStructuredIndex.create(index.folder(), REPOSITORY, IndexKeyFile.create(index.keyFile()));
        regions = Samples.inRegions(List.of(1, 3, 2, 1, 4, 1, 6, 2, 1, 3), Samples.chunks(new Random(5), CHUNKS, 150));
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

    /** Whether a region is there: all of its chunks, or none. */
    private static boolean has(ChunkStore store, StoredRegion region) throws IOException {
        List<Optional<ChunkLocation>> found = store.index().findAll(region.fingerprints());
        assertThat(found.stream().map(Optional::isPresent).distinct()).hasSize(1);
        return found.get(0).isPresent();
    }

    private static void assertReadable(ChunkStore store, StoredRegion region) throws Exception {
        try (ContainerReader reader = store.newReader()) {
            for (ChunkRef chunk : region.chunks()) {
                assertReadable(store, region, chunk, reader);
            }
        }
    }

    private static void assertReadable(ChunkStore store, StoredRegion region, ChunkRef chunk, ContainerReader reader)
            throws IOException {
        ChunkLocation location = store.index().find(chunk.fingerprint()).orElseThrow();
        assertThat(location.plainBytes()).isEqualTo(chunk.length());
        StoredRegion read = reader.read(chunk.fingerprint(), location);
        assertThat(read.chunks()).isEqualTo(region.chunks());
        assertThat(read.stored().view()).isEqualTo(region.stored().view());
    }

    private static void assertNothingReadable(ChunkStore store, StoredRegion region) throws IOException {
        try (ContainerReader reader = store.newReader()) {
            for (ChunkRef chunk : region.chunks()) {
                assertThatThrownBy(() -> assertReadable(store, region, chunk, reader))
                        .isInstanceOf(DamagedDataException.class);
            }
        }
    }

    private Path container(int number) {
        return root.resolve(containers.name(number));
    }

    private long openContainers() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(file -> {
                        try {
                            Path target = Files.readSymbolicLink(file);
                            return target.startsWith(root) && target.toString().endsWith(".container");
                        } catch (IOException e) {
                            return false; // Closed meanwhile.
                        }
                    })
                    .count();
        }
    }

    @Test
    void aReaderOfManyContainersKeepsAFewOpenAndClosesAll() throws IOException {
        try (ChunkStore store =
                ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), CONTAINER_BYTES / 4)) {
            for (StoredRegion region : regions) {
                store.put(region);
            }
            assertThat(containers.numbers()).hasSizeGreaterThan(5);
            long before = openContainers();
            try (ContainerReader reader = store.newReader()) {
                for (int round = 0; round < 2; round++) {
                    for (StoredRegion region : regions) {
                        assertReadable(store, region, region.first(), reader);
                        assertThat(openContainers() - before).isBetween(1L, 4L);
                    }
                }
            }
            assertThat(openContainers()).isEqualTo(before);
        }
    }

    @Test
    void regionsAreReadBackAlsoAfterReopening() throws Exception {
        try (ChunkStore store = open()) {
            for (StoredRegion region : regions) {
                assertThat(store.put(region)).isEqualTo(store.put(region));
            }
            for (StoredRegion region : regions) {
                assertReadable(store, region);
            }
        }
        try (ChunkStore store = open()) {
            assertThat(store.index().size()).isEqualTo(CHUNKS);
            for (StoredRegion region : regions) {
                assertReadable(store, region);
            }
        }
        assertThat(containers.numbers()).hasSizeGreaterThan(1);
    }

    @Test
    void aContainerHasExactlyTheDocumentedBytes() throws IOException {
        StoredRegion single = regions.get(0);
        StoredRegion three = regions.get(1);
        try (ChunkStore store = open()) {
            store.put(single);
            store.put(three);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(container(1)));
        assertThat(ascii(bytes, 0, 8)).isEqualTo("SHRDCONT");
        assertRecord(bytes, 64, single, 2);
        int second = 64 + 84 + single.stored().length();
        assertRecord(bytes, second, three, 3);
        int at = second + 84;
        for (ChunkRef other : three.chunks().subList(1, 3)) {
            assertThat(bytes.slice(at, 32))
                    .isEqualTo(ByteBuffer.wrap(other.fingerprint().toBytes()));
            assertThat(bytes.getInt(at + 32)).isEqualTo(other.length());
            at += 36;
        }
        assertThat(bytes.slice(at, bytes.limit() - at)).isEqualTo(three.sealed().view());
    }

    private static void assertRecord(ByteBuffer bytes, int at, StoredRegion region, int codec) {
        int others = region.chunks().size() - 1;
        assertThat(ascii(bytes, at, 4)).isEqualTo("CHNK");
        assertThat(bytes.getInt(at + 4)).isEqualTo(region.stored().length());
        assertThat(bytes.slice(at + 8, 32))
                .isEqualTo(ByteBuffer.wrap(region.first().fingerprint().toBytes()));
        assertThat(bytes.slice(at + 40, 32))
                .isEqualTo(ByteBuffer.wrap(region.storedDigest().toBytes()));
        assertThat(bytes.getInt(at + 72)).isEqualTo(region.first().length());
        assertThat(bytes.get(at + 76)).isEqualTo((byte) codec);
        assertThat(bytes.get(at + 77)).isEqualTo((byte) others);
        assertThat(bytes.getShort(at + 78)).isZero();
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, 80));
        crc.update(bytes.slice(at + 84, 36 * others));
        assertThat(bytes.getInt(at + 80)).isEqualTo((int) crc.getValue());
        assertThat(bytes.slice(at + 84, region.stored().length()))
                .isEqualTo(region.stored().view());
    }

    private static String ascii(ByteBuffer bytes, int at, int length) {
        return StandardCharsets.US_ASCII.decode(bytes.slice(at, length)).toString();
    }

    /** Leaves two synced regions and two put after the sync, as a crash would. Returns the synced part's end. */
    private int crashAfterSync() throws IOException {
        ChunkStore store = open();
        store.put(regions.get(0));
        store.put(regions.get(1));
        store.sync();
        int synced = (int) Files.size(container(1));
        Map<Path, byte[]> indexed = indexFiles();
        store.put(regions.get(2));
        store.put(regions.get(3));
        byte[] container = Files.readAllBytes(container(1));
        store.close();
        restoreIndex(indexed);
        Files.write(container(1), container);
        return synced;
    }

    @InTurn(days = 3)
    @Test
    void aTailCutAnywhereKeepsEveryWholeRegionAndGoesOn() throws Exception {
        int synced = crashAfterSync();
        Map<Path, byte[]> indexed = indexFiles();
        byte[] container = Files.readAllBytes(container(1));
        int third = synced + 84 + regions.get(2).stored().length();
        for (int length = synced; length <= container.length; length++) {
            restoreIndex(indexed);
            Files.write(container(1), Arrays.copyOf(container, length));
            try (ChunkStore store = open()) {
                assertThat(has(store, regions.get(1))).isTrue();
                assertThat(has(store, regions.get(2))).as("cut to " + length).isEqualTo(length >= third);
                assertThat(has(store, regions.get(3))).isEqualTo(length == container.length);
                store.put(regions.get(2));
                store.put(regions.get(4));
            }
            try (ChunkStore store = open()) {
                for (int i : new int[] {0, 1, 2, 4}) {
                    assertReadable(store, regions.get(i));
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
                assertReadable(store, regions.get(0));
                assertReadable(store, regions.get(1));
                assertThat(has(store, regions.get(3))).as("flip at " + at).isFalse();
                if (has(store, regions.get(2))) {
                    assertReadable(store, regions.get(2));
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
        int secondAt = 64 + 84 + regions.get(0).stored().length();
        for (int at = 0; at < synced; at++) {
            byte[] flipped = container.clone();
            flipped[at] ^= 0x20;
            Files.write(container(1), flipped);
            try (ChunkStore store = open()) {
                assertNothingReadable(store, at < secondAt ? regions.get(0) : regions.get(1));
                if (at >= 64) {
                    assertReadable(store, at < secondAt ? regions.get(1) : regions.get(0));
                }
            }
        }
    }

    @Test
    void aLostLastIndexBatchIsMadeUpForByTheContainers() throws Exception {
        try (ChunkStore store = open()) {
            for (StoredRegion region : regions) {
                store.put(region);
                if (store.index().size() % 3 != 0) {
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
                assertThat(store.index().size()).as("cut to " + length).isEqualTo(CHUNKS);
            }
        }
    }

    @InTurn(days = 3)
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
                assertThat(store.index().size()).isEqualTo(4);
                assertThat(container(2)).doesNotExist();
                regions.forEach(region -> putUnchecked(store, region));
            }
            try (ChunkStore store = open()) {
                for (StoredRegion region : regions) {
                    assertReadable(store, region);
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

    private static void putUnchecked(ChunkStore store, StoredRegion region) {
        try {
            store.put(region);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void rebuildingGivesTheSameIndexAndNamesDamage() throws Exception {
        try (ChunkStore store = open()) {
            regions.forEach(region -> putUnchecked(store, region));
        }
        restoreIndex(Map.of());
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            IndexRebuild.Result result = new IndexRebuild(containers, index, lock).run();
            assertThat(result.chunks()).isEqualTo(CHUNKS);
            assertThat(result.damage()).isEmpty();
        }
        try (ChunkStore store = open()) {
            for (StoredRegion region : regions) {
                assertReadable(store, region);
            }
        }
        byte[] first = Files.readAllBytes(container(1));
        int second = 64 + 84 + regions.get(0).stored().length();
        first[second + 84 + 2 * 36] ^= 1;
        Files.write(container(1), first);
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            IndexRebuild.Result result = new IndexRebuild(containers, index, lock).run();
            assertThat(result.chunks()).isEqualTo(CHUNKS - 3);
            assertThat(result.damage())
                    .singleElement()
                    .asString()
                    .contains("00000001.container: damaged at offset " + (second + 84))
                    .endsWith("it is left out");
        }
        try (ChunkStore store = open()) {
            regions.forEach(region -> putUnchecked(store, region));
            for (StoredRegion region : regions) {
                assertReadable(store, region);
            }
        }
    }

    /** A region of a new chunk, whose table claims those of others besides. */
    private static StoredRegion claiming(StoredRegion chunk, StoredRegion others) {
        return Samples.together(List.of(chunk, others));
    }

    private static List<Optional<ChunkLocation>> places(ChunkStore store, StoredRegion region) throws IOException {
        return store.index().findAll(region.fingerprints());
    }

    @Test
    void whatACrashLeavesTakesNoChunksOverThatAreKept() throws Exception {
        StoredRegion kept = regions.get(0);
        StoredRegion chunk = Samples.sealed(Samples.text(new Random(77), 90));
        List<Optional<ChunkLocation>> before;
        try (ChunkStore store = open()) {
            store.put(kept);
            before = places(store, kept);
        }
        Map<Path, byte[]> covered = indexFiles();
        try (ChunkStore store = open()) {
            store.put(claiming(chunk, kept));
            assertThat(places(store, kept)).isEqualTo(before);
        }
        restoreIndex(covered);
        try (ChunkStore store = open()) {
            assertThat(places(store, kept)).isEqualTo(before);
            assertReadable(store, kept);
            assertThat(has(store, chunk)).isTrue();
        }
    }

    @Test
    void anIndexThatIsMadeAgainTakesNoChunksOverThatAreKept() throws Exception {
        StoredRegion chunk = Samples.sealed(Samples.text(new Random(77), 90));
        List<List<Optional<ChunkLocation>>> before = new ArrayList<>();
        try (ChunkStore store = open()) {
            regions.forEach(region -> putUnchecked(store, region));
            for (StoredRegion region : regions) {
                before.add(places(store, region));
            }
            store.put(claiming(chunk, regions.get(0)));
        }
        restoreIndex(Map.of());
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            assertThat(new IndexRebuild(containers, index, lock).run().chunks()).isEqualTo(CHUNKS + 1);
        }
        try (ChunkStore store = open()) {
            for (int i = 0; i < regions.size(); i++) {
                assertThat(places(store, regions.get(i))).isEqualTo(before.get(i));
            }
            assertThat(has(store, chunk)).isTrue();
        }
    }

    /** The containers, of which none is opened a second time. */
    private ContainerFolder openedOnce() {
        Storage real = containers.storage();
        Set<Object> opened = new HashSet<>();
        Class<?>[] type = {Storage.class};
        Object once = Proxy.newProxyInstance(Storage.class.getClassLoader(), type, (proxy, method, arguments) -> {
            if (method.getName().equals("open") && !opened.add(arguments[0])) {
                throw new IOException("the disk is gone");
            }
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return new ContainerFolder((Storage) once, containers.repository());
    }

    @Test
    void anIndexThatWasNotMadeToItsEndIsRefusedUntilItIs() throws Exception {
        StoredRegion chunk = Samples.sealed(Samples.text(new Random(77), 90));
        try (ChunkStore store = open()) {
            store.put(regions.get(0));
            store.put(claiming(chunk, regions.get(0)));
        }
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            IndexRebuild interrupted = new IndexRebuild(openedOnce(), index, lock);
            assertThatThrownBy(interrupted::run).hasMessageContaining("the disk is gone");
        }
        assertThatThrownBy(this::open).hasMessageContaining("that did not end: run 'backup-agent rebuild-index");
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            assertThat(new IndexRebuild(containers, index, lock).run().damage()).isEmpty();
        }
        try (ChunkStore store = open()) {
            assertThat(has(store, chunk)).isTrue();
        }
    }

    /** Whatever a record says, the only place that has a chunk is its place. */
    @Test
    void whatOnlyAPartlyKeptRegionHasComesBack() throws Exception {
        StoredRegion kept = regions.get(0);
        StoredRegion chunk = Samples.sealed(Samples.text(new Random(77), 90));
        try (ChunkStore store = open()) {
            store.put(kept);
            store.put(claiming(chunk, kept));
        }
        restoreIndex(Map.of());
        byte[] damaged = Files.readAllBytes(container(1));
        damaged[64 + 84 + kept.stored().length() - 1] ^= 1;
        Files.write(container(1), damaged);
        try (RepositoryLock lock = RepositoryLock.acquire(root)) {
            assertThat(new IndexRebuild(containers, index, lock).run().damage()).isEmpty();
        }
        try (ChunkStore store = open()) {
            assertThat(has(store, kept)).isTrue();
            assertThat(has(store, chunk)).isTrue();
        }
    }

    /** Of however short chunks: what goes through a container has all of them in memory. */
    @Test
    void aContainerHasABoundedNumberOfChunksAndSoHasMemory() throws Exception {
        Random tiny = new Random(5);
        int perRegion = 64;
        try (ChunkStore store =
                ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), 64 << 20)) {
            for (int i = 0; i < 2 * StoreSync.MOST_UNCOMMITTED / perRegion; i++) {
                StoredRegion region = Samples.together(Samples.chunks(tiny, perRegion, 12));
                store.makeRoom(region);
                store.put(region);
                assertThat(store.index().uncommitted()).isLessThanOrEqualTo(StoreSync.MOST_UNCOMMITTED + perRegion);
            }
        }
        assertThat(containers.numbers()).hasSizeGreaterThanOrEqualTo(4);
    }
}
