// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections of regions of which not all chunks are needed. */
class CollectionRegionsTest {

    private static final int CONTAINER_BYTES = 8000;

    @TempDir
    private Path folder;

    private Repository repository;
    private TestSession session;
    /** Seven regions of 24 chunks. */
    private final List<StoredRegion> regions =
            Samples.inRegions(List.of(4, 1, 6, 2, 5, 3, 3), Samples.chunks(new Random(7), 24, 900));

    @BeforeEach
    void open() throws IOException {
        open(CONTAINER_BYTES);
    }

    private void open(int containerBytes) throws IOException {
        repository = Repository.open(folder.resolve("repo" + containerBytes), Clock.systemUTC(), containerBytes);
        session = TestSession.open(repository);
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private static StoredRegion member(StoredRegion region, int number) {
        return Samples.sealed(Samples.plain(region, region.fingerprints().get(number)));
    }

    private static long recordBytes(List<StoredRegion> regions) {
        return regions.stream()
                .mapToLong(region -> 84 + region.stored().length())
                .sum();
    }

    private long heldBytes() throws IOException {
        return repository.chunks().containers().sizes().values().stream()
                .mapToLong(bytes -> bytes - 64)
                .sum();
    }

    private long entries() {
        return repository.chunks().index().size();
    }

    @Test
    void aRegionLivesAsAWholeWhileOneOfItsChunksDoesAndGoesWithTheLast() throws IOException {
        long old = session.backUp("old", regions);
        List<StoredRegion> needed = List.of(member(regions.get(0), 2), member(regions.get(4), 4));
        long id = session.backUp("vm", needed);
        session.delete(old);
        List<StoredRegion> living = List.of(regions.get(0), regions.get(4));
        UpkeepAnswer.Collected result = session.collect(false);
        assertThat(result.problems()).isEmpty();
        assertThat(result.garbageBytes()).isEqualTo(recordBytes(regions) - recordBytes(living));
        assertThat(result.copiedBytes()).as("each once").isEqualTo(recordBytes(living));
        assertThat(heldBytes()).isEqualTo(recordBytes(living));
        assertThat(entries()).isEqualTo(4 + 5);
        session.assertRestores(id, needed);
        for (StoredRegion region : living) {
            assertThat(session.isThere(region)).as("also what nothing needs").isTrue();
        }
        assertThat(session.isThere(regions.get(1))).isFalse();
        long again = session.backUp("again", living);
        assertThat(heldBytes()).as("nothing was sent").isEqualTo(recordBytes(living));
        session.delete(id);
        session.collect(false);
        session.assertRestores(again, living);
        session.delete(again);
        session.collect(false);
        assertThat(entries()).isZero();
        assertThat(heldBytes()).isZero();
    }

    @Test
    void aDryRunCountsARegionOnceHoweverManyOfItsChunksLive() throws IOException {
        long old = session.backUp("old", regions);
        List<StoredRegion> needed = new ArrayList<>(regions.subList(2, 4));
        needed.add(member(regions.get(5), 0));
        needed.add(member(regions.get(5), 2));
        session.backUp("vm", needed);
        session.delete(old);
        List<StoredRegion> dead = new ArrayList<>(regions.subList(0, 2));
        dead.add(regions.get(4));
        dead.add(regions.get(6));
        assertThat(session.collect(true).garbageBytes()).isEqualTo(recordBytes(dead));
        assertThat(entries()).isEqualTo(24);
    }

    @Test
    void aChunkThatIsFoundBetweenAnyTwoStepsOfACollectionKeepsItsWholeRegion() throws IOException {
        StoredRegion region = regions.get(2);
        for (int at = 0; at < 8; at++) {
            session.delete(session.backUp("old", regions));
            try (TestSession backup = TestSession.open(repository)) {
                UpkeepAnswer.Collected step = session.beginCollection(false);
                for (int i = 0; i < at && !step.done(); i++) {
                    step = session.nextStep();
                }
                backup.begin("new" + at);
                boolean found = backup.isThere(member(region, 3));
                backup.putIfNew(member(region, 3));
                while (!step.done()) {
                    step = session.nextStep();
                }
                assertThat(backup.isThere(region)).as("step " + at).isEqualTo(found);
                backup.append(member(region, 3));
                long id = backup.commit();
                session.collect(false);
                session.assertRestores(id, List.of(member(region, 3)));
                session.delete(id);
            }
            session.collect(false);
            assertThat(entries()).isZero();
        }
    }

    @Test
    void aRegionWhoseChunksLiveElsewhereIsGarbage() throws IOException {
        StoredRegion one = regions.get(0);
        StoredRegion overlapping = Samples.together(List.of(member(one, 3), regions.get(1)));
        long first = session.backUp("vm", List.of(one));
        long second = session.backUp("vm", List.of(overlapping));
        assertThat(heldBytes()).isEqualTo(recordBytes(List.of(one, overlapping)));
        long third = session.backUp("vm", List.of(member(one, 3)));
        session.delete(first, second);
        assertThat(session.collect(false).garbageBytes()).isEqualTo(recordBytes(List.of(overlapping)));
        assertThat(heldBytes()).isEqualTo(recordBytes(List.of(one)));
        assertThat(entries()).isEqualTo(4);
        session.assertRestores(third, List.of(member(one, 3)));
    }

    @Test
    void aRegionThatIsPartlyElsewhereMovesForTheRest() throws IOException {
        StoredRegion one = regions.get(0);
        StoredRegion overlapping = Samples.together(List.of(member(one, 3), regions.get(1)));
        session.delete(session.backUp("old", regions.subList(5, 7)));
        long first = session.backUp("vm", List.of(one));
        long second = session.backUp("vm", List.of(overlapping));
        session.delete(first);
        assertThat(session.collect(false).problems()).isEmpty();
        session.assertRestores(second, List.of(overlapping));
        Fingerprint shared = one.fingerprints().get(3);
        assertThat(session.fetch(shared).chunks()).isEqualTo(one.chunks());
        assertThat(heldBytes()).isEqualTo(recordBytes(List.of(one, overlapping)));
    }

    @Test
    void deadRegionsAreReleasedWhereTheyLieAndThoseWithALivingChunkStayWhole() throws IOException {
        close();
        open(1 << 21);
        List<StoredRegion> large =
                Samples.inRegions(List.of(3, 2, 4, 3, 2, 6), Samples.chunks(new Random(8), 20, 60_000));
        long old = session.backUp("old", large);
        List<StoredRegion> needed = List.of(member(large.get(1), 1), member(large.get(3), 0));
        long id = session.backUp("vm", needed);
        session.delete(old);
        UpkeepAnswer.Collected result = session.collect(false, 90);
        assertThat(result.problems()).isEmpty();
        assertThat(result.copiedBytes()).isZero();
        long dead = recordBytes(large) - recordBytes(List.of(large.get(1), large.get(3)));
        assertThat(result.garbageBytes()).isGreaterThanOrEqualTo(dead);
        assertThat(result.freedBytes()).isBetween(dead * 9 / 10, dead);
        assertThat(entries()).isEqualTo(2 + 3);
        assertThat(session.isThere(large.get(1))).isTrue();
        assertThat(session.isThere(large.get(2))).isFalse();
        assertThat(session.problems()).isEmpty();
        session.assertRestores(id, needed);
        session.assertRestores(session.backUp("vm", large), large);
    }
}
