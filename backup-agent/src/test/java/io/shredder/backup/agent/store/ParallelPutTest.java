// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.container.ContainerWriters;
import io.shredder.backup.agent.container.OpenContainer;
import io.shredder.backup.agent.index.IndexKeyFile;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.session.TogetherRun;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads put at once, into containers that grow side by side. */
class ParallelPutTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int CONTAINER_BYTES = 20_000;
    private static final int THREADS = 8;
    private static final int CHUNKS = 800;
    private static final int MAX_PAUSE_MICROS = 300;

    @TempDir
    private Path root;

    private final Random random = new Random(Samples.seed());
    private Path disk;
    private RepositoryIndex index;

    @BeforeEach
    void prepare() throws IOException {
        disk = new RecordedFiles(root, MAX_PAUSE_MICROS).root();
        index = new RepositoryIndex(disk, disk.resolve("key"), 64);
        Files.createDirectories(index.folder());
        LogStructuredIndex.create(index.folder(), REPOSITORY, IndexKeyFile.create(index.keyFile()));
    }

    private ChunkStore open() throws IOException {
        ContainerFolder containers = new ContainerFolder(new LocalStorage(disk), REPOSITORY);
        return ChunkStore.open(containers, index.open(containers), disk.resolve("damaged"), CONTAINER_BYTES);
    }

    /** Of different chunks. */
    private List<StoredRegion> regions(int count) {
        Map<Fingerprint, StoredRegion> chunks = new LinkedHashMap<>();
        Samples.chunks(random, count, 900)
                .forEach(chunk -> chunks.put(chunk.first().fingerprint(), chunk));
        return Samples.inRegions(random, List.copyOf(chunks.values()));
    }

    private static long records(ChunkStore store) throws IOException {
        long records = 0;
        for (int container : store.containers().numbers()) {
            records += ContainerHeads.read(store.containers(), container).stream()
                    .map(entry -> entry.location().position())
                    .distinct()
                    .count();
        }
        return records;
    }

    private static void assertReadable(ChunkStore store, List<StoredRegion> regions) throws IOException {
        try (ContainerReader reader = store.newReader()) {
            for (StoredRegion region : regions) {
                for (Fingerprint chunk : region.fingerprints()) {
                    StoredRegion read = store.read(chunk, reader).orElseThrow();
                    assertThat(Samples.plain(read, chunk)).isEqualTo(Samples.plain(region, chunk));
                }
            }
        }
    }

    @Test
    void whatSeveralSendAtOnceIsKeptOnce() throws IOException {
        List<StoredRegion> regions = regions(CHUNKS);
        long chunks =
                regions.stream().mapToLong(region -> region.chunks().size()).sum();
        try (ChunkStore store = open()) {
            assertThat(TogetherRun.all(THREADS, number -> putAll(store, regions, number)))
                    .containsOnly(regions.size());
            assertThat(records(store)).isEqualTo(regions.size());
        }
        try (ChunkStore store = open()) {
            assertReadable(store, regions);
            assertThat(store.index().size()).isEqualTo(chunks);
        }
    }

    /** In an order of the thread's own, with a sync now and then. */
    private static int putAll(ChunkStore store, List<StoredRegion> regions, int number) throws IOException {
        Random own = new Random(number);
        List<StoredRegion> shuffled = new ArrayList<>(regions);
        Collections.shuffle(shuffled, own);
        for (StoredRegion region : shuffled) {
            store.makeRoom(region);
            assertThat(store.put(region).keySet()).containsAll(region.fingerprints());
            if (own.nextInt(50) == 0) {
                store.sync();
            }
        }
        return shuffled.size();
    }

    @Test
    void eachContainerThatGrewWhenTheAgentDiedIsCutWhereItIsTorn() throws IOException {
        ContainerFolder containers = new ContainerFolder(new LocalStorage(disk), REPOSITORY);
        List<StoredRegion> regions = regions(60);
        try (ContainerWriters writers = new ContainerWriters(containers, 1 << 20, ContainerPosition.START)) {
            appendToTwo(writers, regions);
        }
        Map<Fingerprint, ChunkLocation> whole = new HashMap<>();
        for (int container = 1; container <= 2; container++) {
            List<ContainerHeads.Entry> entries = ContainerHeads.read(containers, container);
            Path file = root.resolve(containers.name(container));
            int left = random.nextInt((int) Files.size(file) + 1);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(left);
            }
            for (ContainerHeads.Entry entry : entries) {
                int recordEnd = entry.location().offset() + ContainerReader.recordBytes(entry.location());
                if (recordEnd <= left) {
                    whole.put(entry.fingerprint(), entry.location());
                }
            }
        }
        try (ChunkStore store = open()) {
            Map<Fingerprint, ChunkLocation> found = new HashMap<>();
            store.index().forEach(found::put);
            assertThat(found).isEqualTo(whole);
            assertThat(store.index().covered()).isEqualTo(store.end());
            for (StoredRegion region : regions) {
                store.put(region);
            }
            assertReadable(store, regions);
        }
    }

    /** While the first container is in use, and others wait, another one is begun. */
    private static void appendToTwo(ContainerWriters writers, List<StoredRegion> regions) throws IOException {
        OpenContainer first = writers.take(regions.get(0)).orElseThrow();
        CompletableFuture<OpenContainer> second = new CompletableFuture<>();
        TogetherRun<Integer> waiting = TogetherRun.begin(3, number -> {
            OpenContainer taken = writers.take(regions.get(1)).orElseThrow();
            if (!second.complete(taken)) {
                writers.giveBack(taken);
            }
            return number;
        });
        OpenContainer other = second.join();
        for (int i = 0; i < regions.size(); i++) {
            (i % 3 == 0 ? other : first).append(regions.get(i), false);
        }
        assertThat(other).isNotSameAs(first);
        writers.giveBack(first);
        writers.giveBack(other);
        waiting.end();
    }

    @Test
    void putsGoOnWhileTheDiskIsBusyWithASync() throws IOException {
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        ContainerFolder containers = new ContainerFolder(slow("force", forcing, letGo), REPOSITORY);
        List<StoredRegion> regions = regions(60);
        try (ChunkStore store =
                ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), CONTAINER_BYTES)) {
            store.put(regions.get(0));
            TogetherRun<Boolean> sync = TogetherRun.begin(1, number -> {
                store.sync();
                return true;
            });
            await(forcing);
            store.put(regions.get(1));
            assertThat(store.index().covered()).isEqualTo(ContainerPosition.START);
            letGo.countDown();
            sync.end();
            ChunkLocation first = place(store, regions.get(0));
            ChunkLocation second = place(store, regions.get(1));
            assertThat(first.container()).isEqualTo(1);
            assertThat(second.container()).isEqualTo(2);
            assertThat(store.index().covered().container()).isEqualTo(1);
            store.sync();
            assertThat(store.index().covered()).isEqualTo(store.end());
        }
    }

    @Test
    void roomIsMadeWithoutWaitingForThoseWhoAppend() throws IOException {
        CountDownLatch appending = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        ContainerFolder containers = new ContainerFolder(slow("append", appending, letGo), REPOSITORY);
        List<StoredRegion> regions = regions(60);
        try (ChunkStore store =
                ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), CONTAINER_BYTES)) {
            TogetherRun<Boolean> put = TogetherRun.begin(1, number -> {
                store.put(regions.get(0));
                return true;
            });
            await(appending);
            assertThat(CompletableFuture.runAsync(() -> makeRoom(store, regions.get(1))))
                    .succeedsWithin(Duration.ofSeconds(10));
            letGo.countDown();
            put.end();
            store.put(regions.get(1));
            assertReadable(store, regions.subList(0, 2));
        } finally {
            letGo.countDown();
        }
    }

    @Test
    void whoNeedsRoomGoesOnWithTheFirstContainerThatIsDurable() throws IOException {
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch wentOn = new CountDownLatch(1);
        AtomicInteger forces = new AtomicInteger();
        Storage storage = withFiles(
                () -> {
                    if (second.getCount() == 0) {
                        wentOn.countDown();
                    }
                },
                (called, inner) -> {
                    if (called.equals("force") && forces.incrementAndGet() > 1) {
                        second.countDown();
                        await(letGo);
                    }
                    return inner.run();
                });
        ContainerFolder containers = new ContainerFolder(storage, REPOSITORY);
        List<StoredRegion> regions = regions(4 * CHUNKS);
        try (ChunkStore store =
                ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), CONTAINER_BYTES)) {
            CompletableFuture<Void> puts = CompletableFuture.runAsync(() -> putOneAfterAnother(store, regions));
            await(second);
            assertThat(CompletableFuture.runAsync(() -> await(wentOn)))
                    .as("a container is begun while others are on their way to the disk")
                    .succeedsWithin(Duration.ofSeconds(20));
            letGo.countDown();
            puts.join();
            store.sync();
            assertThat(store.index().covered()).isEqualTo(store.end());
            assertReadable(store, regions);
        } finally {
            letGo.countDown();
        }
    }

    @Test
    void whoNeedsRoomIsToldThatNothingCanBeMadeDurable() throws IOException {
        AtomicBoolean broken = new AtomicBoolean(true);
        Storage storage = withFiles(() -> {}, (called, inner) -> {
            if (called.equals("force") && broken.get()) {
                throw new IOException("the disk is gone");
            }
            return inner.run();
        });
        ContainerFolder containers = new ContainerFolder(storage, REPOSITORY);
        List<StoredRegion> regions = regions(4 * CHUNKS);
        try (ChunkStore store =
                ChunkStore.open(containers, index.open(containers), root.resolve("damaged"), CONTAINER_BYTES)) {
            assertThatThrownBy(() -> putOneAfterAnother(store, regions)).hasMessageContaining("the disk is gone");
            broken.set(false);
            putOneAfterAnother(store, regions);
            assertReadable(store, regions);
        }
    }

    private static void putOneAfterAnother(ChunkStore store, List<StoredRegion> regions) {
        for (StoredRegion region : regions) {
            makeRoom(store, region);
            try {
                store.put(region);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void makeRoom(ChunkStore store, StoredRegion region) {
        try {
            store.makeRoom(region);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChunkLocation place(ChunkStore store, StoredRegion region) throws IOException {
        return store.index().find(region.first().fingerprint()).orElseThrow();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A disk that takes long to do something with a container, until it is let go. */
    private Storage slow(String what, CountDownLatch busy, CountDownLatch letGo) {
        return withFiles(() -> {}, (called, inner) -> {
            if (called.equals(what)) {
                busy.countDown();
                await(letGo);
            }
            return inner.run();
        });
    }

    /** A disk with something around what is done with containers. */
    private Storage withFiles(Runnable created, Around calls) {
        return around(Storage.class, new LocalStorage(disk), (method, call) -> {
            if (!method.equals("create")) {
                return call.run();
            }
            created.run();
            return around(AppendableFile.class, (AppendableFile) call.run(), calls);
        });
    }

    private interface Call {
        Object run() throws Throwable;
    }

    private interface Around {
        Object call(String method, Call call) throws Throwable;
    }

    private static <T> T around(Class<T> type, T real, Around around) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> around.call(method.getName(), () -> {
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }
}
