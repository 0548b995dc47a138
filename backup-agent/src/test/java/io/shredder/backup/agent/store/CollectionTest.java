// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections beside everything else that sessions do. */
class CollectionTest {

    private static final int CONTAINER_BYTES = 4000;

    @TempDir
    private Path folder;

    private Repository repository;
    private TestSession session;
    private final List<StoredRegion> chunks = Samples.chunks(new Random(7), 40, 900);

    @BeforeEach
    void open() throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC(), CONTAINER_BYTES);
        session = TestSession.open(repository);
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private void reopen() throws IOException {
        close();
        open();
    }

    private long containerBytes() throws IOException {
        long sum = 0;
        for (int number : repository.chunks().containers().numbers()) {
            sum += repository.chunks().containers().size(number);
        }
        return sum;
    }

    /** What containers must hold at least: the records of these chunks and the headers. */
    private long neededBytes(List<StoredRegion> needed) throws IOException {
        return needed.stream().mapToLong(chunk -> 84 + chunk.stored().length()).sum()
                + 64L * repository.chunks().containers().numbers().size();
    }

    @Test
    void whatOnlyThePrunedSnapshotNeededIsFreedAndTheRestRestores() throws IOException {
        long first = session.backUp("vm", chunks.subList(0, 30));
        long second = session.backUp("vm", chunks.subList(20, 40));
        long before = containerBytes();
        session.delete(first);
        UpkeepAnswer.Collected result = session.collect(false);
        assertThat(result.problems()).isEmpty();
        assertThat(result.garbageBytes())
                .isEqualTo(chunks.subList(0, 20).stream()
                        .mapToLong(chunk -> 84 + chunk.stored().length())
                        .sum());
        assertThat(containerBytes()).isEqualTo(neededBytes(chunks.subList(20, 40)));
        assertThat(before - containerBytes()).isPositive();
        session.assertRestores(second, chunks.subList(20, 40));
        assertThat(session.isThere(chunks.get(0))).isFalse();
        reopen();
        session.assertRestores(second, chunks.subList(20, 40));
        assertThat(repository.chunks().index().size()).isEqualTo(20);
        assertThat(session.collect(false).deletedContainers()).isZero();
    }

    @Test
    void nothingIsTouchedWhereNothingIsGarbage() throws IOException {
        session.backUp("vm", chunks);
        List<Integer> before = repository.chunks().containers().numbers();
        UpkeepAnswer.Collected result = session.collect(false);
        assertThat(result.garbageBytes()).isZero();
        assertThat(repository.chunks().containers().numbers()).isEqualTo(before);
    }

    @Test
    void aDryRunSaysWhatThereIsAndFreesNothing() throws IOException {
        long only = session.backUp("vm", chunks);
        session.delete(only);
        long before = containerBytes();
        UpkeepAnswer.Collected result = session.collect(true);
        assertThat(result.garbageBytes()).isEqualTo(neededBytes(chunks) - 64L * (result.leftContainers()));
        assertThat(result.deletedContainers()).isZero();
        assertThat(containerBytes()).isEqualTo(before);
        assertThat(session.isThere(chunks.get(0))).isTrue();
    }

    @Test
    void aContainerWithLittleGarbageIsLeftAlone() throws IOException {
        long first = session.backUp("vm", chunks.subList(0, 1));
        long second = session.backUp("vm", chunks.subList(1, 40));
        session.delete(first);
        List<Integer> before = repository.chunks().containers().numbers();
        Answer begun = session.ask(new UpkeepRequest.Collect(true, false, 90));
        while (!((UpkeepAnswer.Collected) begun).done()) {
            begun = session.ask(new UpkeepRequest.Collect(false, false, 90));
        }
        assertThat(((UpkeepAnswer.Collected) begun).garbageBytes()).isPositive();
        assertThat(repository.chunks().containers().numbers()).isEqualTo(before);
        assertThat(session.isThere(chunks.get(0)))
                .as("still good for the next backup")
                .isTrue();
        session.assertRestores(second, chunks.subList(1, 40));
    }

    @Test
    void aChunkThatAClientWasToldOfBeforeTheCollectionStaysUntilItsBackupEnds() throws IOException {
        session.delete(session.backUp("old", chunks));
        try (TestSession backup = TestSession.open(repository)) {
            backup.begin("new");
            assertThat(backup.isThere(chunks.get(3))).isTrue();
            backup.put(Samples.sealed(new byte[123]));
            session.collect(false);
            backup.append(chunks.get(3));
            session.collect(false);
            long id = backup.commit();
            session.collect(false);
            session.assertRestores(id, List.of(chunks.get(3)));
        }
        assertThat(repository.chunks().index().size()).isEqualTo(1);
    }

    @Test
    void aChunkThatIsFoundBetweenAnyTwoStepsOfACollectionStays() throws IOException {
        for (int at = 0; at < 8; at++) {
            session.delete(session.backUp("old", chunks));
            try (TestSession backup = TestSession.open(repository)) {
                UpkeepAnswer.Collected step = session.beginCollection(false);
                for (int i = 0; i < at && !step.done(); i++) {
                    step = session.nextStep();
                }
                backup.begin("new" + at);
                backup.putIfNew(chunks.get(7));
                while (!step.done()) {
                    step = session.nextStep();
                }
                backup.append(chunks.get(7));
                long id = backup.commit();
                session.collect(false);
                session.assertRestores(id, List.of(chunks.get(7)));
                session.delete(id);
            }
            session.collect(false);
            assertThat(repository.chunks().index().size()).isZero();
        }
    }

    @Test
    void whatAnInterruptedBackupSentIsFreedOnceItsSessionIsGone() throws IOException {
        try (TestSession backup = TestSession.open(repository)) {
            backup.begin("vm");
            for (StoredRegion chunk : chunks) {
                backup.put(chunk);
                backup.append(chunk);
            }
            session.collect(false);
            assertThat(repository.chunks().index().size()).isEqualTo(40);
        }
        session.collect(false);
        assertThat(repository.chunks().index().size()).isZero();
        assertThat(containerBytes()).isEqualTo(neededBytes(List.of()));
    }

    @Test
    void aSnapshotThatIsPrunedWhileItIsReadCanBeReadToItsEnd() throws IOException {
        long id = session.backUp("vm", chunks);
        try (TestSession restore = TestSession.open(repository)) {
            List<Fingerprint> refs = restore.references(id);
            session.delete(id);
            session.collect(false);
            for (Fingerprint ref : refs) {
                assertThat(restore.fetch(ref).first().fingerprint()).isEqualTo(ref);
            }
        }
        session.collect(false);
        assertThat(repository.chunks().index().size()).isZero();
    }

    @Test
    void aRestoreGoesOnWhileItsChunksAreMoved() throws IOException {
        long gone = session.backUp("old", everySecond(0));
        long id = session.backUp("vm", everySecond(1));
        session.delete(gone);
        try (TestSession restore = TestSession.open(repository)) {
            List<Fingerprint> refs = restore.references(id);
            UpkeepAnswer.Collected step = session.beginCollection(false);
            int next = 0;
            while (!step.done() || next < refs.size()) {
                Fingerprint ref = refs.get(next % refs.size());
                assertThat(restore.fetch(ref).first().fingerprint()).isEqualTo(ref);
                next++;
                step = step.done() ? step : session.nextStep();
            }
            assertThat(step.copiedBytes()).isPositive();
        }
    }

    private List<StoredRegion> everySecond(int from) {
        List<StoredRegion> some = new ArrayList<>();
        for (int i = from; i < chunks.size(); i += 2) {
            some.add(chunks.get(i));
        }
        return some;
    }

    @Test
    void onlyOneCollectionRunsAtATimeAndItEndsWithItsSession() throws IOException {
        session.backUp("vm", chunks);
        TestSession other = TestSession.open(repository);
        other.beginCollection(false);
        Answer refused = session.ask(new UpkeepRequest.Collect(true, false, 0));
        assertThat(((Answer.Failure) refused).code()).isEqualTo(ErrorCode.BUSY);
        other.close();
        assertThat(session.collect(false).done()).isTrue();
        Answer without = session.ask(new UpkeepRequest.Collect(false, false, 0));
        assertThat(((Answer.Failure) without).code()).isEqualTo(ErrorCode.INVALID);
    }

    @Test
    void aDamagedSnapshotKeepsEverythingUntilItIsPrunedById() throws IOException {
        long gone = session.backUp("old", chunks.subList(0, 20));
        long bad = session.backUp("vm", chunks.subList(20, 40));
        session.delete(gone);
        Path file = snapshotFiles().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 100] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> session.collect(false))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("0000000000000002.snapshot")
                .hasMessageContaining("nothing is collected")
                .hasMessageContaining("prune snapshot " + bad);
        assertThat(session.isThere(chunks.get(0))).isTrue();
        session.delete(bad);
        session.collect(false);
        assertThat(repository.chunks().index().size()).isZero();
        assertThat(Files.readString(folder.resolve("repo/audit.log"))).contains("\"snapshot\":" + bad);
    }

    private List<Path> snapshotFiles() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("repo/snapshots"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void aSnapshotWhoseChunkTheIndexLacksKeepsEverything() throws IOException {
        session.delete(session.backUp("old", chunks.subList(0, 20)));
        session.backUp("vm", chunks.subList(20, 40));
        repository.chunks().index().remove(chunks.get(25).first().fingerprint());
        long before = containerBytes();
        assertThatThrownBy(() -> session.collect(false))
                .hasMessageContaining("nothing is collected: snapshot vm@2 of client site1 needs chunk "
                        + chunks.get(25).first().fingerprint());
        assertThat(containerBytes()).isEqualTo(before);
    }

    @Test
    void aContainerThatIsDamagedWhereItLivesIsLeftAndOneThatIsAllGarbageGoes() throws IOException {
        long gone = session.backUp("old", everySecond(0));
        long kept = session.backUp("vm", everySecond(1));
        session.delete(gone);
        var live = repository
                .chunks()
                .index()
                .find(chunks.get(1).first().fingerprint())
                .orElseThrow();
        flip(live.container(), live.offset() + 90);
        UpkeepAnswer.Collected result = session.collect(false);
        assertThat(result.problems()).singleElement().asString().contains("left as it is");
        assertThat(repository.chunks().containers().numbers()).contains(live.container());
        session.delete(kept);
        flip(live.container(), 64);
        assertThat(session.collect(false).problems()).isEmpty();
        assertThat(repository.chunks().index().size()).isZero();
        assertThat(repository.chunks().containers().numbers()).doesNotContain(live.container());
    }

    private void flip(int container, int at) throws IOException {
        Path file = folder.resolve("repo/" + repository.chunks().containers().name(container));
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    /** Chunks that fill blocks of the file system, in few containers. */
    private List<StoredRegion> useLargeChunks() throws IOException {
        close();
        repository = Repository.open(folder.resolve("large"), Clock.systemUTC(), 1 << 20);
        session = TestSession.open(repository);
        return Samples.chunks(new Random(8), 40, 100_000);
    }

    private long occupiedBytes() throws IOException {
        long sum = 0;
        for (int number : repository.chunks().containers().numbers()) {
            long length = repository.chunks().containers().size(number);
            for (Span span : repository.chunks().space().occupied(number, length)) {
                sum += span.bytes();
            }
        }
        return sum;
    }

    @Test
    void spaceInsideOfContainersIsReleasedWithoutCopiesAndAChunkThatComesBackIsStoredAnew() throws IOException {
        List<StoredRegion> large = useLargeChunks();
        long first = session.backUp("vm", large);
        long second = session.backUp("vm", large.subList(10, 40));
        session.delete(first);
        long before = occupiedBytes();
        UpkeepAnswer.Collected result = session.collect(false, 50);
        assertThat(result.problems()).isEmpty();
        assertThat(result.copiedBytes()).isZero();
        assertThat(result.freedBytes()).isEqualTo(before - occupiedBytes());
        long dead = large.subList(0, 10).stream()
                .mapToLong(chunk -> 84 + chunk.stored().length())
                .sum();
        assertThat(result.freedBytes()).isBetween(dead * 9 / 10, dead);
        session.assertRestores(second, large.subList(10, 40));
        assertThat(session.isThere(large.get(0))).isFalse();
        assertThat(Files.readString(folder.resolve("large/audit.log")))
                .contains("\"event\":\"space-release\"", "\"bytes\":" + result.freedBytes());
        long third = session.backUp("vm", large);
        session.assertRestores(third, large);
        UpkeepAnswer.Collected again = session.collect(false, 50);
        assertThat(again.freedBytes()).isZero();
        assertThat(again.leftContainers()).isZero();
        session.assertRestores(third, large);
        assertThat(session.collect(false, 0).problems())
                .as("copies what is still worth it by another measure")
                .isEmpty();
        assertThat(containerBytes()).isEqualTo(neededBytes(large));
        session.assertRestores(third, large);
    }

    @Test
    void whatASessionFindsWhileACollectionRunsIsNotReleased() throws IOException {
        List<StoredRegion> large = useLargeChunks();
        session.delete(session.backUp("old", large.subList(0, 30)));
        session.backUp("kept", large.subList(28, 40));
        UpkeepAnswer.Collected step = session.beginCollection(false, 50);
        while (step.leftContainers() == 0 && !step.done()) {
            step = session.nextStep();
        }
        try (TestSession backup = TestSession.open(repository)) {
            backup.begin("new");
            assertThat(backup.isThere(large.get(7))).isTrue();
            while (!step.done()) {
                step = session.nextStep();
            }
            backup.append(large.get(7));
            session.assertRestores(backup.commit(), List.of(large.get(7)));
        }
        assertThat(session.isThere(large.get(20))).isFalse();
    }

    @Test
    void aContainerWithHolesIsVerifiedRebuiltAndCopiedOutOf() throws IOException {
        List<StoredRegion> large = useLargeChunks();
        List<StoredRegion> kept = new ArrayList<>();
        for (int i = 0; i < large.size(); i += 3) {
            kept.add(large.get(i));
        }
        long gone = session.backUp("old", large);
        long id = session.backUp("vm", kept);
        session.delete(gone);
        assertThat(session.collect(false, 100).freedBytes()).isPositive();
        close();
        Path key = RepositoryIndex.defaultKeyFile(folder.resolve("large"));
        IndexRebuild.Result rebuilt = Repository.rebuildIndex(StorePlace.local(folder.resolve("large")), key);
        assertThat(rebuilt.damage()).isEmpty();
        repository = Repository.open(folder.resolve("large"), Clock.systemUTC(), 1 << 20);
        session = TestSession.open(repository);
        session.assertRestores(id, kept);
        assertThat(session.collect(false, 0).problems()).isEmpty();
        session.assertRestores(id, kept);
        assertThat(containerBytes()).isEqualTo(neededBytes(kept));
    }
}
