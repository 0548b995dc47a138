// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.collect.CollectedChunks;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collection that dies between any two of its writes loses nothing, and the next one frees what it left. */
class CollectionCrashTest {

    private static final int CONTAINER_BYTES = 3000;
    private static final int LARGE_CHUNK_BYTES = 100_000;

    @TempDir
    private Path folder;

    private final List<Path> crashes = new ArrayList<>();
    /** What a snapshot needs, and the regions that live for it. */
    private final List<StoredRegion> kept = new ArrayList<>();

    private final List<StoredRegion> living = new ArrayList<>();
    /** That have pages of it. */
    private final List<Long> packs = new ArrayList<>();

    /** Copies the repository as a dying process would leave it, before every call that may write. */
    private final class CrashPoints implements CollectedChunks {
        private final CollectedChunks real;
        private final Path repository;

        CrashPoints(CollectedChunks real, Path repository) {
            this.real = real;
            this.repository = repository;
        }

        private synchronized Path crash() throws IOException {
            Path copy = folder.resolve("crash-" + crashes.size());
            copy(repository, copy);
            crashes.add(copy);
            return copy;
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
        public ReleasableSpace space() {
            return new SpaceCrashes(real.space(), this);
        }

        @Override
        public ContainerPosition end() {
            return real.end();
        }

        @Override
        public ContainerPosition line() {
            return real.line();
        }

        @Override
        public void leave(int container) throws IOException {
            crash();
            real.leave(container);
        }

        @Override
        public void move(StoredRegion region, ContainerPosition from) throws IOException {
            crash();
            real.move(region, from);
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
        public void allFound() throws IOException {
            crash();
            real.allFound();
        }

        @Override
        public void sync() throws IOException {
            crash();
            real.sync();
            crash();
        }
    }

    /** Dies before and in the midst of every release, when a range may hold anything. */
    private record SpaceCrashes(ReleasableSpace real, CrashPoints points) implements ReleasableSpace {

        @Override
        public boolean isSupported() {
            return real.isSupported();
        }

        @Override
        public List<Span> occupied(int container, long length) throws IOException {
            return real.occupied(container, length);
        }

        @Override
        public void prepare(Map<Integer, List<Span>> ranges) throws IOException {
            points.crash();
            real.prepare(ranges);
            points.crash();
        }

        @Override
        public void release(int container, List<Span> ranges) throws IOException {
            for (Span range : ranges) {
                points.crash();
                tear(points.crash().resolve(points.real.containers().name(container)), range);
                real.release(container, List.of(range));
            }
        }

        private static void tear(Path file, Span range) throws IOException {
            byte[] junk = new byte[(int) range.bytes()];
            new Random(range.from()).nextBytes(junk);
            int zeros = junk.length / 3;
            Arrays.fill(junk, zeros, 2 * zeros, (byte) 0);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                DurableFiles.writeFully(channel, ByteBuffer.wrap(junk), range.from());
            }
        }

        @Override
        public boolean isSettled(int container, long garbageBytes) {
            return real.isSettled(container, garbageBytes);
        }

        @Override
        public void settle(int container, long garbageBytes) {
            real.settle(container, garbageBytes);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static List<StoredRegion> regions(Random random, int maxChunkBytes) {
        List<Integer> counts = List.of(1, 3, 2, 1, 4, 1, 6, 2, 1, 3, 1, 5, 2, 1, 1, 2, 3, 1, 1, 1, 2, 1, 1, 2);
        return Samples.inRegions(counts, Samples.chunks(random, 48, maxChunkBytes));
    }

    /** Of every second region that lives only the last chunk is needed. */
    private void keepSome(List<StoredRegion> regions) {
        for (int i = 0; i < regions.size(); i += i < 12 ? 3 : 1) {
            StoredRegion region = regions.get(i);
            Fingerprint last = region.fingerprints().get(region.chunks().size() - 1);
            living.add(region);
            kept.add(i % 2 == 0 ? region : Samples.sealed(Samples.plain(region, last)));
        }
    }

    private long livingChunks() {
        return living.stream().mapToLong(region -> region.chunks().size()).sum();
    }

    private long livingBytes() {
        return living.stream()
                .mapToLong(region -> 84 + region.stored().length())
                .sum();
    }

    @Test
    void aCrashAtAnyWriteOfACollectionLosesNothingAndLeaksNothing() throws IOException {
        List<StoredRegion> regions = regions(new Random(3), 700);
        Path root = folder.resolve("repo");
        long id;
        try (Repository repository = Repository.open(root, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            long gone = session.backUp("old", regions);
            keepSome(regions);
            id = session.backUp("vm", kept);
            session.delete(gone);
            collect(repository, root);
        }
        assertThat(crashes).hasSizeGreaterThan(20);
        for (Path crash : crashes) {
            assertWhole(crash, id);
        }
    }

    @InTurn(days = 3)
    @Test
    void aCrashAtAnyWriteOfAReleaseLosesNothingAndLeaksNothing() throws IOException {
        List<StoredRegion> regions = regions(new Random(4), LARGE_CHUNK_BYTES);
        Path root = folder.resolve("repo");
        long id;
        try (Repository repository = Repository.open(root, Clock.systemUTC(), 8 * LARGE_CHUNK_BYTES);
                TestSession session = TestSession.open(repository)) {
            long gone = session.backUp("old", regions);
            keepSome(regions);
            id = session.backUp("vm", kept);
            session.delete(gone);
            long before = occupied(repository);
            collect(repository, root, 60);
            assertThat(before - occupied(repository))
                    .as("space released where it lay")
                    .isPositive();
        }
        assertThat(crashes).hasSizeGreaterThan(15);
        for (Path crash : crashes) {
            Path rebuilt = folder.resolve(crash.getFileName() + "-rebuilt");
            copy(crash, rebuilt);
            assertRebuilds(rebuilt, id);
            assertReleases(crash, id);
        }
    }

    /** Without an index, from what the crash left alone. */
    private void assertRebuilds(Path crash, long id) throws IOException {
        Path indexKey = copyIndexKey(crash);
        IndexRebuild.Result rebuilt = Repository.rebuildIndex(StorePlace.local(crash), indexKey);
        assertThat(rebuilt.damage()).as(crash.toString()).isEmpty();
        try (Repository repository = Repository.open(crash, Clock.systemUTC(), 8 * LARGE_CHUNK_BYTES);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, kept);
            session.collect(false);
            assertThat(repository.chunks().index().size()).as(crash.toString()).isEqualTo(livingChunks());
            session.assertRestores(id, kept);
        }
    }

    private void assertReleases(Path crash, long id) throws IOException {
        copyIndexKey(crash);
        try (Repository repository = Repository.open(crash, Clock.systemUTC(), 8 * LARGE_CHUNK_BYTES);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, kept);
            assertThat(session.collect(false, 60).problems()).isEmpty();
            session.assertRestores(id, kept);
            // In each gap less than the smallest hole and two blocks around it.
            assertThat(occupied(repository) - livingBytes())
                    .as(crash.toString())
                    .isBetween(0L, 6L * (6 << 12));
        }
    }

    /** What is needed is on pages that one snapshot brought and another shares; a pack that no list needs goes. */
    @InTurn(days = 3)
    @Test
    void aCrashAtAnyWriteOfACollectionLosesNoSharedPage() throws IOException {
        List<StoredRegion> regions = regions(new Random(6), 700);
        Path root = folder.resolve("repo");
        long id;
        try (Repository repository = Repository.open(root, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            long gone = session.backUp("old", Samples.SHARED, regions.subList(10, 20));
            long first = session.backUp("vm", Samples.SHARED, regions);
            keepSome(regions);
            session.begin("vm", Samples.SHARED);
            for (StoredRegion region : kept) {
                int page = regions.indexOf(region);
                if (page < 0) {
                    session.append(region);
                } else {
                    assertThat(session.share(first, page, region)).isTrue();
                }
            }
            id = session.commit();
            session.delete(gone, first);
            packs.addAll(List.of(first, id));
            collect(repository, root);
        }
        assertThat(crashes).hasSizeGreaterThan(20);
        for (Path crash : crashes) {
            assertWhole(crash, id);
        }
    }

    private static long occupied(Repository repository) throws IOException {
        long sum = 0;
        for (int number : repository.chunks().containers().numbers()) {
            long length = repository.chunks().containers().size(number);
            sum += repository.chunks().space().occupied(number, length).stream()
                    .mapToLong(Span::bytes)
                    .sum();
        }
        return sum;
    }

    private Path copyIndexKey(Path crash) throws IOException {
        return Files.copy(
                RepositoryIndex.defaultKeyFile(folder.resolve("repo")), RepositoryIndex.defaultKeyFile(crash));
    }

    private void collect(Repository repository, Path root) throws IOException {
        collect(repository, root, 0);
    }

    private void collect(Repository repository, Path root, int minGarbagePercent) throws IOException {
        try (GarbageCollection collection = GarbageCollection.begin(
                        repository.gate(),
                        new CrashPoints(repository.chunks(), root),
                        repository.catalogue(),
                        repository.audit(),
                        new SpaceReserve(root.resolve("reserve"), () -> 100),
                        new GarbageCollection.Settings(minGarbagePercent, false))
                .orElseThrow()) {
            while (!collection.step().done()) {
                assertThat(crashes).hasSizeLessThan(1000);
            }
        }
    }

    private void assertWhole(Path crash, long id) throws IOException {
        Path indexKey = copyIndexKey(crash);
        try (Repository repository = Repository.open(crash, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, kept);
            assertThat(session.collect(false).problems()).as(crash.toString()).isEmpty();
            session.assertRestores(id, kept);
            assertThat(repository.chunks().index().size()).as(crash.toString()).isEqualTo(livingChunks());
            long held = 0;
            for (int number : repository.chunks().containers().numbers()) {
                held += repository.chunks().containers().size(number) - 64;
            }
            assertThat(held).as(crash.toString()).isEqualTo(livingBytes());
            assertThat(repository.catalogue().packs().list())
                    .as(crash.toString())
                    .containsOnlyKeys(packs);
            assertThat(session.problems()).as(crash.toString()).isEmpty();
        }
        Repository.rebuildIndex(StorePlace.local(crash), indexKey);
        try (Repository repository = Repository.open(crash, Clock.systemUTC(), CONTAINER_BYTES);
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(id, kept);
        }
    }
}
