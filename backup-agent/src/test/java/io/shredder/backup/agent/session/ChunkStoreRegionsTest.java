// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.IndexKeyFile;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.agent.store.RepositoryIndex;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that already has some chunks of a region that is put. */
class ChunkStoreRegionsTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int CONTAINER_BYTES = 1 << 16;

    @TempDir
    private Path root;

    private final List<StoredRegion> chunks = Samples.chunks(new Random(5), 5, 300);
    /** Of the first three chunks, the last three, and all. */
    private final StoredRegion first = Samples.together(chunks.subList(0, 3));

    private final StoredRegion last = Samples.together(chunks.subList(2, 5));
    private final StoredRegion all = Samples.together(chunks);

    private final AtomicReference<Optional<Callable<?>>> meanwhile = new AtomicReference<>(Optional.empty());
    private ContainerFolder containers;
    private ChunkStore store;

    @BeforeEach
    void create() throws IOException {
        containers = new ContainerFolder(new LocalStorage(root), REPOSITORY);
        RepositoryIndex index = index();
        Files.createDirectories(index.folder());
        LogStructuredIndex.create(index.folder(), REPOSITORY, IndexKeyFile.create(index.keyFile()));
        open();
    }

    private RepositoryIndex index() {
        return new RepositoryIndex(root, root.resolve("key"));
    }

    private void open() throws IOException {
        FingerprintIndex index = betweenQuestionAndRead(index().open(containers));
        store = ChunkStore.open(containers, index, root.resolve("damaged"), CONTAINER_BYTES);
    }

    /** The same, but does once what {@link #meanwhile} says before it answers where many chunks are. */
    private FingerprintIndex betweenQuestionAndRead(FingerprintIndex index) {
        return (FingerprintIndex) Proxy.newProxyInstance(
                FingerprintIndex.class.getClassLoader(),
                new Class<?>[] {FingerprintIndex.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(index, arguments);
                    if (method.getName().equals("findAll")) {
                        meanwhile
                                .getAndSet(Optional.empty())
                                .orElse(() -> answer)
                                .call();
                    }
                    return answer;
                });
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private ChunkLocation place(int chunk) throws IOException {
        return store.index().find(chunks.get(chunk).first().fingerprint()).orElseThrow();
    }

    private int end() {
        return store.end().offset();
    }

    private void assertAllReadable() throws IOException {
        try (ContainerReader reader = store.newReader()) {
            for (StoredRegion chunk : chunks) {
                Fingerprint fingerprint = chunk.first().fingerprint();
                StoredRegion region = store.read(fingerprint, reader).orElseThrow();
                assertThat(Samples.plain(region, fingerprint)).isEqualTo(Samples.plain(chunk, fingerprint));
            }
        }
    }

    @Test
    void allChunksOfARegionHaveTheSamePlaceAndTheirOwnLengths() throws IOException {
        store.put(all);
        for (int i = 0; i < chunks.size(); i++) {
            assertThat(place(i))
                    .isEqualTo(new ChunkLocation(
                            1, 64, all.stored().length(), chunks.get(i).first().length()));
        }
        assertThat(end()).isEqualTo(64 + 84 + all.stored().length());
    }

    @Test
    void ofARegionOnlyTheChunksThatWereMissingPointToIt() throws IOException {
        store.put(first);
        ChunkLocation shared = place(2);
        int second = end();
        assertThat(store.put(last))
                .containsOnlyKeys(last.fingerprints())
                .containsEntry(chunks.get(2).first().fingerprint(), shared)
                .containsEntry(chunks.get(3).first().fingerprint(), place(3));
        assertThat(place(2)).isEqualTo(shared);
        assertThat(place(3).offset()).isEqualTo(second);
        assertThat(place(4).offset()).isEqualTo(second);
        assertAllReadable();
        close();
        open();
        assertThat(place(2)).isEqualTo(shared);
        assertAllReadable();
    }

    @Test
    void aRegionOfWhichAllIsThereIsNotKeptAgain() throws IOException {
        store.put(first);
        store.put(last);
        int before = end();
        assertThat(store.put(all)).containsOnlyKeys(all.fingerprints()).containsValues(place(0), place(4));
        assertThat(end()).isEqualTo(before);
    }

    @Test
    void aRegionThatHasAChunkTwiceIsKeptOnce() throws IOException {
        StoredRegion twice = Samples.together(List.of(chunks.get(0), chunks.get(1), chunks.get(0)));
        assertThat(store.put(twice)).hasSize(2);
        assertThat(store.index().size()).isEqualTo(2);
        store.put(all);
        assertThat(place(0))
                .isEqualTo(new ChunkLocation(
                        1, 64, twice.stored().length(), chunks.get(0).first().length()));
        assertAllReadable();
    }

    @Test
    void aChunkOfARegionThatIsKnownToBeDamagedIsTakenFromTheNextOneThatHasIt() throws IOException {
        store.put(first);
        store.put(last);
        store.damaged(chunks.get(1).first().fingerprint(), place(1));
        assertThat(store.findWhole(all.fingerprints()).stream().map(found -> found.isPresent()))
                .as("all of the damaged region")
                .containsExactly(false, false, false, true, true);
        int before = end();
        store.put(Samples.together(chunks.subList(1, 4)));
        assertThat(place(1).offset()).isEqualTo(before);
        assertThat(place(2).offset()).isEqualTo(before);
        assertThat(place(3).offset()).as("was whole").isLessThan(before);
        assertThat(store.findWhole(all.fingerprints()).stream().map(found -> found.isPresent()))
                .containsExactly(false, true, true, true, true);
        store.put(chunks.get(0));
        assertThat(store.findWhole(all.fingerprints())).allMatch(found -> found.isPresent());
        assertAllReadable();
    }

    @Test
    void damageOfARegionSaysNothingOfAChunkThatTheIndexHasElsewhere() throws IOException {
        store.put(chunks.get(2));
        store.put(first);
        store.damaged(chunks.get(0).first().fingerprint(), place(0));
        assertThat(store.findWhole(first.fingerprints()).stream().map(found -> found.isPresent()))
                .containsExactly(false, false, true);
    }

    @Test
    void whatACollectionMovesWhileManyAreFetchedIsReadWhereItIsNow() throws Exception {
        store.put(first);
        store.put(last);
        meanwhile.set(Optional.of(() -> {
            int from = place(0).offset();
            store.move(first, place(0).position());
            Path file = root.resolve(containers.name(1));
            byte[] bytes = Files.readAllBytes(file);
            Arrays.fill(bytes, from, from + 84 + first.stored().length(), (byte) 0);
            return Files.write(file, bytes);
        }));
        try (ContainerReader reader = store.newReader()) {
            Request.FetchMany request = new Request.FetchMany(1 << 20, all.fingerprints());
            Answer.Regions received = TestSession.received(new ManyFetches(store, reader).answer(request));
            assertThat(received.answered()).isEqualTo(5);
            assertThat(received.regions().stream().map(StoredRegion::chunks))
                    .containsExactly(first.chunks(), last.chunks());
        }
        assertThat(place(0).offset()).as("moved").isGreaterThan(place(4).offset());
    }

    @Test
    void aContainerThatEndsBeforeARegionIsDamageOfTheChunkThatWasRead() throws IOException {
        store.put(chunks.get(2));
        store.put(first);
        Path file = root.resolve(containers.name(1));
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 70));
        Fingerprint read = chunks.get(1).first().fingerprint();
        try (ContainerReader reader = store.newReader()) {
            assertThatThrownBy(() -> store.read(read, reader)).isInstanceOf(DamagedDataException.class);
        }
        assertThat(store.findWhole(first.fingerprints()).stream().map(found -> found.isPresent()))
                .as("nobody can tell what else was there")
                .containsExactly(true, false, true);
    }

    @Test
    void aRegionMovesForThoseOfItsChunksThatTheIndexHasThere() throws IOException {
        store.put(chunks.get(1));
        store.put(first);
        ChunkLocation single = place(1);
        ChunkLocation before = place(0);
        int to = end();
        store.move(first, before.position());
        assertThat(place(0).offset()).isEqualTo(to);
        assertThat(place(2).offset()).isEqualTo(to);
        assertThat(place(1)).isEqualTo(single);
        int moved = end();
        store.move(first, before.position());
        assertThat(end()).as("nothing is there any more").isEqualTo(moved);
        store.put(last);
        assertAllReadable();
    }
}
