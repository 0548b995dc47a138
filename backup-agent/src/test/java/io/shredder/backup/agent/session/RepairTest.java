// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chunk that is found damaged is asked for again, by whatever finds it. */
class RepairTest {

    private static final int CONTAINER_BYTES = 4000;

    @TempDir
    private Path root;

    private Repository repository;
    private TestSession session;
    private List<StoredRegion> chunks;
    private StoredRegion region;
    private long snapshot;

    @BeforeEach
    void backUpAndDamage() throws IOException {
        chunks = Samples.chunks(new Random(3), 20, 500);
        region = Samples.together(Samples.chunks(new Random(4), 4, 300));
        open();
        snapshot = session.backUp("vm", chunks);
        flip(chunks.get(4));
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private void open() throws IOException {
        repository = Repository.open(root.resolve("repo"), Clock.systemUTC(), CONTAINER_BYTES);
        session = TestSession.open(repository);
    }

    private void flip(StoredRegion chunk) throws IOException {
        flip(chunk, 100);
    }

    private void flip(StoredRegion chunk, int inRecord) throws IOException {
        ChunkLocation at =
                repository.chunks().index().find(chunk.first().fingerprint()).orElseThrow();
        Path container = container(at);
        byte[] bytes = Files.readAllBytes(container);
        bytes[at.offset() + inRecord] ^= 4;
        Files.write(container, bytes);
    }

    private List<String> verify() throws IOException {
        List<String> problems = new ArrayList<>();
        long cursor = 0;
        do {
            Answer.Verified part = (Answer.Verified) session.ask(new Request.Verify(snapshot, cursor));
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return problems;
    }

    private Path container(ChunkLocation at) {
        return root.resolve("repo").resolve(repository.chunks().containers().name(at.container()));
    }

    private void assertAskedForAgainAndHealed() throws IOException {
        assertThat(session.isThere(chunks.get(4))).isFalse();
        assertThat(session.isThere(chunks.get(5))).isTrue();
        close();
        open();
        assertThat(session.isThere(chunks.get(4))).as("after a restart").isFalse();
        long again = session.backUp("vm", chunks);
        assertThat(session.isThere(chunks.get(4))).isTrue();
        session.assertRestores(snapshot, chunks);
        session.assertRestores(again, chunks);
        close();
        open();
        session.assertRestores(snapshot, chunks);
        assertThat(root.resolve("repo/damaged")).doesNotExist();
    }

    @Test
    void aFetchFindsIt() throws IOException {
        assertThat(session.isThere(chunks.get(4))).as("nobody knows yet").isTrue();
        assertThatThrownBy(() -> session.fetch(chunks.get(4).first().fingerprint()))
                .isInstanceOf(DamagedDataException.class);
        assertAskedForAgainAndHealed();
    }

    @Test
    void aFetchOfManySendsWhatLiesThereAndLeavesItToTheClientToAskAgain() throws IOException {
        StoredRegion received =
                session.fetchMany(1000, chunks.get(4).fingerprints()).regions().get(0);
        assertThat(received.chunks()).isEqualTo(chunks.get(4).chunks());
        assertThatThrownBy(received::check).isInstanceOf(BadChunkException.class);
        assertThat(session.isThere(chunks.get(4))).as("nobody knows yet").isTrue();
        aFetchFindsIt();
    }

    @Test
    void aFetchOfManyFindsADamagedHead() throws IOException {
        ChunkLocation at = repository
                .chunks()
                .index()
                .find(chunks.get(7).first().fingerprint())
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(container(at));
        bytes[at.offset() + 60] ^= 4;
        Files.write(container(at), bytes);
        assertThatThrownBy(() -> session.fetchMany(1000, chunks.get(7).fingerprints()))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("another CRC32C (while reading chunk "
                        + chunks.get(7).first().fingerprint());
        assertThat(session.isThere(chunks.get(7))).isFalse();
    }

    @Test
    void aVerificationFindsIt() throws IOException {
        assertThat(verify())
                .singleElement()
                .asString()
                .contains(chunks.get(4).first().fingerprint().toString());
        assertAskedForAgainAndHealed();
    }

    @Test
    void aCollectionFindsItLeavesItsContainerAndTakesThatAwayOnceItIsHealed() throws IOException {
        session.delete(session.backUp("other", List.of(Samples.sealed(new byte[300]))));
        StoredRegion neighbour = chunks.get(3);
        session.delete(snapshot);
        snapshot = session.backUp("vm", List.of(chunks.get(4), chunks.get(5)));
        UpkeepAnswer.Collected collected = session.collect(false);
        assertThat(collected.problems()).singleElement().asString().contains("left as it is");
        assertThat(session.isThere(chunks.get(4))).isFalse();
        assertThat(session.isThere(neighbour))
                .as("garbage of the container that was left")
                .isTrue();
        session.put(chunks.get(4));
        assertThat(session.collect(false).problems()).isEmpty();
        assertThat(session.isThere(neighbour)).isFalse();
        session.assertRestores(snapshot, List.of(chunks.get(4), chunks.get(5)));
    }

    @Test
    void aMissingContainerIsSentAgainWhole() throws IOException {
        ChunkLocation at = repository
                .chunks()
                .index()
                .find(chunks.get(4).first().fingerprint())
                .orElseThrow();
        close();
        open();
        Files.delete(container(at));
        assertThat(verify()).isNotEmpty().allMatch(line -> line.contains("the container is missing"));
        session.backUp("vm", chunks);
        session.assertRestores(snapshot, chunks);
    }

    @Test
    void aCollectionForgetsWhatNothingNeedsOfAMissingContainer() throws IOException {
        ChunkLocation at = repository
                .chunks()
                .index()
                .find(chunks.get(4).first().fingerprint())
                .orElseThrow();
        long needed = session.backUp("other", List.of(chunks.get(4)));
        close();
        open();
        Files.delete(container(at));
        assertThat(verify()).isNotEmpty();
        session.backUp("other", List.of(chunks.get(4)));
        session.delete(snapshot);
        assertThat(session.problems()).as("its garbage").isNotEmpty();
        assertThat(session.collect(false).problems()).isEmpty();
        assertThat(session.problems()).isEmpty();
        session.assertRestores(needed, List.of(chunks.get(4)));
    }

    /** Backs up a region and damages what of it is sealed. */
    private long damagedRegion() throws IOException {
        long id = session.backUp("region", List.of(region));
        flip(region, 84 + region.stored().length() - 1);
        return id;
    }

    private List<StoredRegion> members() {
        return region.fingerprints().stream()
                .map(chunk -> Samples.sealed(Samples.plain(region, chunk)))
                .toList();
    }

    /** Each of them is asked for again, and comes by itself or with others. */
    private void assertAllAskedForAgainAndHealed(long id) throws IOException {
        List<StoredRegion> members = members();
        close();
        open();
        for (StoredRegion member : members) {
            assertThat(session.isThere(member)).as("after a restart").isFalse();
        }
        session.put(members.get(2));
        assertThat(session.isThere(members.get(2))).isTrue();
        for (int other : new int[] {0, 1, 3}) {
            assertThat(session.isThere(members.get(other))).isFalse();
            assertThatThrownBy(() -> session.fetch(members.get(other).first().fingerprint()))
                    .isInstanceOf(DamagedDataException.class);
        }
        session.put(Samples.together(List.of(members.get(3), members.get(2), members.get(0))));
        session.backUp("again", members);
        session.assertRestores(id, List.of(region));
        close();
        open();
        session.assertRestores(id, List.of(region));
        snapshot = id;
        assertThat(verify()).isEmpty();
    }

    @Test
    void aFetchFindsDamageOfAllChunksOfARegion() throws IOException {
        long id = damagedRegion();
        assertThatThrownBy(() -> session.fetch(region.fingerprints().get(3))).isInstanceOf(DamagedDataException.class);
        assertAllAskedForAgainAndHealed(id);
    }

    @Test
    void aVerificationOfOneSnapshotFindsDamageOfAllChunksOfARegionAlsoThoseThatOnlyAnotherNeeds() throws IOException {
        long id = damagedRegion();
        snapshot = session.backUp("one", List.of(members().get(1)));
        assertThat(verify()).singleElement().asString().contains("another SHA-256");
        assertAllAskedForAgainAndHealed(id);
    }

    @Test
    void aCollectionFindsDamageOfAllChunksOfARegion() throws IOException {
        long gone = session.backUp("other", Samples.chunks(new Random(5), 5, 500));
        long id = damagedRegion();
        session.delete(gone);
        assertThat(session.collect(false).problems()).anyMatch(line -> line.contains("left as it is"));
        assertAllAskedForAgainAndHealed(id);
    }

    @Test
    void aDamagedTableIsNoticedByEachChunkThatIsReadByItself() throws IOException {
        session.backUp("region", List.of(region));
        flip(region, 84 + 40);
        List<StoredRegion> members = members();
        assertThatThrownBy(() -> session.fetch(members.get(1).first().fingerprint()))
                .hasMessageContaining("another CRC32C");
        assertThat(session.isThere(members.get(1))).isFalse();
        assertThat(session.isThere(members.get(2))).as("nobody knows yet").isTrue();
        assertThat(session.problems()).as("that one and chunk 4").hasSize(2);
        for (StoredRegion member : members) {
            assertThat(session.isThere(member)).isFalse();
        }
    }
}
