// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.collect.CollectedChunks;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collection that dies between any two of its writes loses nothing, and the next one frees what it left. */
class CollectionCrashTest {

    private static final int CONTAINER_BYTES = 3000;

    @TempDir
    private Path folder;

    private final List<Path> crashes = new ArrayList<>();

    /** Copies the repository as a dying process would leave it, before every call that may write. */
    private final class CrashPoints implements CollectedChunks {
        private final CollectedChunks real;
        private final Path repository;

        CrashPoints(CollectedChunks real, Path repository) {
            this.real = real;
            this.repository = repository;
        }

        private void crash() throws IOException {
            Path copy = folder.resolve("crash-" + crashes.size());
            copy(repository, copy);
            crashes.add(copy);
        }

        @Override
        public FingerprintIndex index() {
            return real.index();
        }

        @Override
        public ContainerFolder containers() {
            try {
                crash();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            return real.containers();
        }

        @Override
        public ContainerPosition end() {
            return real.end();
        }

        @Override
        public void leave(int container) throws IOException {
            crash();
            real.leave(container);
        }

        @Override
        public void move(StoredChunk chunk, ChunkLocation from) throws IOException {
            crash();
            real.move(chunk, from);
        }

        @Override
        public void damaged(Fingerprint fingerprint, ChunkLocation at) {
            real.damaged(fingerprint, at);
        }

        @Override
        public void forget(Fingerprint fingerprint, ChunkLocation at) throws IOException {
            real.forget(fingerprint, at);
        }

        @Override
        public void sync() throws IOException {
            crash();
            real.sync();
            crash();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    void aCrashAtAnyWriteOfACollectionLosesNothingAndLeaksNothing() throws IOException {
        List<StoredChunk> chunks = Samples.chunks(new Random(3), 24, 700);
        List<StoredChunk> kept = new ArrayList<>();
        Path root = folder.resolve("repo");
        long id;
        try (Repository repository = Repository.open(root, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            long gone = session.backUp("old", chunks);
            for (int i = 0; i < chunks.size(); i += i < 12 ? 3 : 1) {
                kept.add(chunks.get(i));
            }
            id = session.backUp("vm", kept);
            session.delete(gone);
            collect(repository, root);
        }
        assertThat(crashes).hasSizeGreaterThan(20);
        for (Path crash : crashes) {
            assertWhole(crash, id, kept);
        }
    }

    private void collect(Repository repository, Path root) throws IOException {
        try (GarbageCollection collection = GarbageCollection.begin(
                        repository.gate(),
                        new CrashPoints(repository.chunks(), root),
                        repository.catalogue(),
                        repository.audit(),
                        new SpaceReserve(root.resolve("reserve"), 100),
                        new GarbageCollection.Settings(0, false))
                .orElseThrow()) {
            while (!collection.step().done()) {
                assertThat(crashes).hasSizeLessThan(1000);
            }
        }
    }

    private void assertWhole(Path crash, long id, List<StoredChunk> kept) throws IOException {
        Path indexKey = RepositoryIndex.defaultKeyFile(crash);
        Files.copy(RepositoryIndex.defaultKeyFile(folder.resolve("repo")), indexKey);
        try (Repository repository = Repository.open(crash, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, kept);
            assertThat(session.collect(false).problems()).as(crash.toString()).isEmpty();
            session.assertRestores(id, kept);
            assertThat(repository.chunks().index().size()).as(crash.toString()).isEqualTo(kept.size());
            long needed = 0;
            for (StoredChunk chunk : kept) {
                needed += 84 + chunk.stored().length();
            }
            long held = 0;
            for (int number : repository.chunks().containers().numbers()) {
                held += repository.chunks().containers().size(number) - 64;
            }
            assertThat(held).as(crash.toString()).isEqualTo(needed);
        }
        Repository.rebuildIndex(StorePlace.local(crash), indexKey);
        try (Repository repository = Repository.open(crash, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, kept);
        }
    }
}
