// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.store.IndexRebuild;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.RepositoryIndex;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification on a disk with bad sectors, and of a part of what is kept. */
class VerificationTest {

    private static final int CONTAINER_BYTES = 4000;
    private static final int TABLE_ENTRIES = 32;
    private static final int CHUNKS = 100;
    private static final Instant RECEIVED = Instant.parse("2026-05-04T03:02:01Z");
    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";

    @TempDir
    private Path root;

    private final Random random = new Random(Samples.seed());
    private final List<StoredRegion> regions =
            Samples.inRegions(new Random(1), Samples.chunks(new Random(3), CHUNKS, 600));
    private RecordedFiles disk;
    private Repository repository;
    private TestSession session;
    private long snapshot;

    @BeforeEach
    void backUp() throws IOException {
        disk = new RecordedFiles(root);
        open(RECEIVED);
        snapshot = session.backUp("vm", regions);
    }

    private void open(Instant now) throws IOException {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        repository = Repository.open(disk.root().resolve("repo"), clock, CONTAINER_BYTES, TABLE_ENTRIES);
        session = TestSession.open(repository);
    }

    @AfterEach
    void close() throws IOException {
        disk.findAgain();
        session.close();
        repository.close();
    }

    private ChunkLocation place(StoredRegion region) throws IOException {
        return repository.chunks().index().find(region.first().fingerprint()).orElseThrow();
    }

    private String container(StoredRegion region) throws IOException {
        return repository.chunks().containers().name(place(region).container());
    }

    /** Somewhere behind the table of its record. */
    private int sealedAt(StoredRegion region) throws IOException {
        int stored = place(region).storedBytes();
        return place(region).offset()
                + 84
                + stored
                - 1
                - random.nextInt(region.sealed().length());
    }

    /** One in the midst, of several chunks. */
    private StoredRegion several() {
        return regions.subList(10, 20).stream()
                .filter(region -> region.chunks().size() > 3)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aBadSectorIsReportedWithFileAndOffsetTheRestIsReadAndTheNextBackupBringsItsChunk() throws IOException {
        StoredRegion hit = several();
        long at = place(hit).offset()
                + random.nextInt((int) ContainerHeads.recordBytes(place(hit).storedBytes()));
        disk.lose("repo/" + container(hit), at);
        Answer.Verified verified = session.verify(VerifyScope.EVERYTHING);
        assertThat(verified.chunks()).isEqualTo(CHUNKS);
        assertThat(verified.problems())
                .singleElement()
                .asString()
                .startsWith(container(hit) + ": damaged at offset " + at + ": can't be read: Input/output error")
                .containsAnyOf(
                        hit.fingerprints().stream().map(Fingerprint::toString).toArray(String[]::new));
        assertThatThrownBy(() -> session.fetch(hit.first().fingerprint())).isInstanceOf(DamagedDataException.class);
        assertNothingOf(hit);
        session.backUp("vm", regions);
        session.assertRestores(snapshot, regions);
    }

    private void assertNothingOf(StoredRegion region) throws IOException {
        for (Fingerprint chunk : region.fingerprints()) {
            assertThat(session.isThere(Samples.sealed(Samples.plain(region, chunk))))
                    .isFalse();
        }
    }

    @Test
    void aRegionOfWhichAPartWasBroughtAgainIsReadInBothPlacesAndEachIsReportedOnce() throws IOException {
        StoredRegion hit = several();
        int first = sealedAt(hit);
        disk.lose("repo/" + container(hit), first);
        session.problems();
        StoredRegion one = Samples.sealed(Samples.plain(hit, hit.first().fingerprint()));
        session.put(one);
        int second = sealedAt(one);
        disk.lose("repo/" + container(one), second);
        List<String> problems = session.problems();
        assertThat(problems).hasSize(2);
        assertThat(problems).anyMatch(line -> line.contains("offset " + first));
        assertThat(problems).anyMatch(line -> line.contains("offset " + second));
        assertNothingOf(hit);
    }

    @Test
    void badSectorsInAContainersHeaderAndInASnapshotEndNothing() throws IOException {
        int container = place(regions.get(0)).container();
        disk.lose("repo/" + container(regions.get(0)), 5);
        disk.lose("repo/" + SNAPSHOT, 200);
        List<String> problems = session.problems();
        long inContainer = 0;
        for (StoredRegion region : regions) {
            inContainer += place(region).container() == container ? 1 : 0;
        }
        assertThat(problems).hasSize((int) inContainer + 1);
        assertThat(problems.subList(0, (int) inContainer)).allMatch(line -> line.contains("damaged at offset 5"));
        assertThat(problems.get((int) inContainer)).startsWith(SNAPSHOT + ": damaged at offset 200: can't be read");
        assertThat(session.verify(VerifyScope.EVERYTHING).chunks()).isEqualTo(CHUNKS);
    }

    @Test
    void aBadSectorInTheIndexIsReportedAndListsAreReadAllTheSame() throws IOException {
        close();
        open(RECEIVED);
        Path run;
        try (var files = Files.list(root.resolve("repo/index"))) {
            run = files.filter(file -> file.toString().endsWith(".run"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        String name = "index/" + run.getFileName();
        int entriesAt = firstEntryPageOf(run) * 2032;
        disk.lose("repo/" + name, entriesAt + random.nextInt(2032));
        disk.lose("repo/" + SNAPSHOT, 3);
        assertThat(session.problems())
                .anyMatch(line -> line.startsWith(name + ": damaged at offset " + entriesAt + ": can't be read")
                        && line.endsWith("run 'backup-agent rebuild-index', which reads it"))
                .anyMatch(line -> line.startsWith(SNAPSHOT + ": damaged at offset 3"));
    }

    /** docs/formats/index.md, section 5: behind the header and the filter. */
    private static int firstEntryPageOf(Path run) throws IOException {
        int filterWords = ByteBuffer.wrap(Files.readAllBytes(run)).getInt(104);
        return 1 + (filterWords * 8 + 2015) / 2016;
    }

    @Test
    void anIndexIsMadeAgainOfAllThatCanBeReadOnBothSidesOfABadSector() throws IOException {
        StoredRegion hit = several();
        disk.lose("repo/" + container(hit), sealedAt(hit));
        session.close();
        repository.close();
        Path folder = disk.root().resolve("repo");
        IndexRebuild.Result rebuilt =
                Repository.rebuildIndex(StorePlace.local(folder), RepositoryIndex.defaultKeyFile(folder));
        assertThat(rebuilt.damage()).singleElement().asString().contains("Input/output error");
        assertThat(rebuilt.chunks()).isEqualTo(CHUNKS - hit.chunks().size());
        open(RECEIVED);
        assertThat(session.isThere(hit)).isFalse();
        session.backUp("vm", regions);
        session.assertRestores(snapshot, regions);
    }

    @Test
    void aChunkThatIsDamagedInOnePlaceAndWholeInAnotherIsNoDamageOfARebuiltIndex() throws IOException {
        StoredRegion hit = several();
        disk.lose("repo/" + container(hit), sealedAt(hit));
        session.problems();
        session.backUp("vm", regions);
        ChunkLocation healed = place(hit);
        session.close();
        repository.close();
        Path folder = disk.root().resolve("repo");
        IndexRebuild.Result rebuilt =
                Repository.rebuildIndex(StorePlace.local(folder), RepositoryIndex.defaultKeyFile(folder));
        assertThat(rebuilt.damage()).isEmpty();
        open(RECEIVED);
        assertThat(place(hit)).isEqualTo(healed);
        session.assertRestores(snapshot, regions);
    }

    /** The next part, and adds its problems. */
    private Answer.Verified part(long cursor, List<String> problems) throws IOException {
        Answer.Verified part = (Answer.Verified) session.ask(new Request.VerifySome(VerifyScope.EVERYTHING, cursor));
        problems.addAll(part.problems());
        return part;
    }

    @Test
    void howeverManyThreadsReadTheyFindTheSameInTheSameOrder() throws IOException {
        for (StoredRegion region : regions) {
            if (random.nextInt(3) == 0) {
                disk.lose("repo/" + container(region), sealedAt(region));
            }
        }
        repository.chunks().index().remove(regions.get(3).first().fingerprint());
        repository.workers().limit(1);
        Answer.Verified byOne = session.verify(VerifyScope.EVERYTHING);
        Answer.Verified ofSnapshot = verifySnapshot();
        assertThat(byOne.problems()).hasSizeGreaterThan(3);
        for (int threads : new int[] {2, 3, 8}) {
            repository.workers().limit(threads);
            assertThat(session.verify(VerifyScope.EVERYTHING)).isEqualTo(byOne);
            assertThat(verifySnapshot()).isEqualTo(ofSnapshot);
        }
    }

    private Answer.Verified verifySnapshot() throws IOException {
        List<String> problems = new ArrayList<>();
        long chunks = 0;
        long bytes = 0;
        long cursor = 0;
        do {
            Answer.Verified part = (Answer.Verified) session.ask(new Request.Verify(snapshot, cursor));
            chunks += part.chunks();
            bytes += part.bytes();
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return new Answer.Verified(0, chunks, bytes, problems);
    }

    @Test
    void whoeverAsksForAnotherPartThanTheNextGetsIt() throws IOException {
        damageAll();
        List<Long> cursors = new ArrayList<>(List.of(0L));
        List<Answer.Verified> parts = new ArrayList<>();
        do {
            parts.add(part(cursors.get(cursors.size() - 1), new ArrayList<>()));
            cursors.add(parts.get(parts.size() - 1).nextCursor());
        } while (cursors.get(cursors.size() - 1) != 0);
        assertThat(parts).hasSizeGreaterThan(containers().size());
        for (int i = 0; i < 100; i++) {
            int any = random.nextInt(parts.size());
            assertThat(part(cursors.get(any), new ArrayList<>())).isEqualTo(parts.get(any));
        }
    }

    @Test
    void aLongListIsGoneThroughInSeveralPartsThatSayWhatOneWould() throws IOException {
        List<StoredRegion> more = Samples.chunks(new Random(8), 300, 100);
        long second = session.backUp("long", more);
        Set<String> missing = new HashSet<>();
        for (int page : new int[] {0, 63, 64, 150, 299}) {
            Fingerprint chunk = more.get(page).first().fingerprint();
            repository.chunks().index().remove(chunk);
            missing.add("snapshot " + second + ": chunk " + chunk + " is missing from the index");
        }
        List<String> problems = new ArrayList<>();
        int ofList = 0;
        long cursor = 0;
        do {
            Answer.Verified part = part(cursor, problems);
            ofList += part.problems().isEmpty() ? 0 : 1;
            cursor = part.nextCursor();
        } while (cursor != 0);
        assertThat(problems).containsExactlyInAnyOrderElementsOf(missing);
        assertThat(ofList).isGreaterThan(3);
    }

    @Test
    void aLongListThatIsDeletedWhileItIsGoneThroughLacksNothing() throws IOException {
        List<StoredRegion> more = Samples.chunks(new Random(8), 300, 100);
        long second = session.backUp("long", more);
        List<String> problems = new ArrayList<>();
        long lists = 1L << 32;
        long cursor = lists + snapshot;
        for (int step = 0; step < 6; step++) {
            Answer.Verified part = part(cursor, problems);
            assertThat(part.nextCursor()).isEqualTo(cursor);
        }
        try (TestSession other = TestSession.open(repository)) {
            other.backUp("long", more.subList(0, 5));
            other.delete(second);
            other.collect(false);
        }
        while (cursor != 0) {
            cursor = part(cursor, problems).nextCursor();
        }
        assertThat(problems).isEmpty();
    }

    private Set<Integer> containers() throws IOException {
        return new HashSet<>(repository.chunks().containers().numbers());
    }

    /** Damages a chunk in each container, so that a verification tells which it read. */
    private void damageAll() throws IOException {
        Set<Integer> left = containers();
        for (StoredRegion region : regions) {
            if (left.remove(place(region).container())) {
                disk.lose("repo/" + container(region), place(region).offset());
            }
        }
    }

    private Set<String> read(VerifyScope scope) throws IOException {
        Set<String> files = new HashSet<>();
        for (String problem : session.verify(scope).problems()) {
            files.add(problem.substring(0, problem.indexOf(':')));
        }
        return files;
    }

    @Test
    void aSampleHasAtLeastSoManyBytesOfWholeContainersAndItsSeedRepeatsIt() throws IOException {
        long plainBytes = StoredRegion.plainBytes(
                regions.stream().flatMap(region -> region.chunks().stream()).toList());
        damageAll();
        int all = containers().size();
        Set<String> seen = new HashSet<>();
        List<Set<String>> samples = new ArrayList<>();
        for (int seed = 0; seed < 40; seed++) {
            VerifyScope scope = new VerifyScope(Instant.EPOCH, 200_000, seed);
            Set<String> sample = read(scope);
            assertThat(sample).isEqualTo(read(scope));
            long bytes = 0;
            for (StoredRegion region : regions) {
                bytes += sample.contains(container(region)) ? StoredRegion.plainBytes(region.chunks()) : 0;
            }
            assertThat(bytes).isBetween(plainBytes / 5, plainBytes / 5 + CONTAINER_BYTES);
            seen.addAll(sample);
            samples.add(sample);
        }
        assertThat(seen).as("all samples together").hasSize(all);
        assertThat(new HashSet<>(samples)).hasSizeGreaterThan(20);
        assertThat(read(new VerifyScope(Instant.EPOCH, 1, 5)))
                .as("never nothing")
                .hasSize(1);
        assertThat(read(VerifyScope.EVERYTHING)).hasSize(all);
    }

    @Test
    void whatWasWrittenAndReceivedBeforeATimeIsLeftOut() throws IOException {
        Instant since = RECEIVED.plusSeconds(3600);
        Set<Integer> old = containers();
        session.close();
        repository.close();
        open(since);
        List<StoredRegion> more = Samples.chunks(new Random(4), 20, 500);
        session.backUp("vm", more);
        for (int container : containers()) {
            Instant written = old.contains(container) ? since.minusMillis(1) : since;
            Path file = root.resolve("repo")
                    .resolve(repository.chunks().containers().name(container));
            Files.setLastModifiedTime(file, FileTime.from(written));
        }
        disk.lose("repo/" + SNAPSHOT, 200);
        assertThat(session.verify(new VerifyScope(since, VerifyScope.ALL, 0)).problems())
                .isEmpty();
        assertThat(session.verify(new VerifyScope(since, VerifyScope.ALL, 0)).chunks())
                .isBetween(1L, (long) more.size());
        assertThat(session.verify(new VerifyScope(since.minusMillis(1), VerifyScope.ALL, 0))
                        .chunks())
                .isEqualTo(CHUNKS + more.size());
        assertThat(session.problems()).singleElement().asString().startsWith(SNAPSHOT);
        assertThat(session.verify(new VerifyScope(since.plusSeconds(9), VerifyScope.ALL, 0))
                        .chunks())
                .as("the container that is being written is new whatever its time says")
                .isBetween(1L, (long) more.size());
    }
}
