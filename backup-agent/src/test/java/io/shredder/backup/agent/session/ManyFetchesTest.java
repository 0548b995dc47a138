// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions that are fetched together. */
class ManyFetchesTest {

    private static final int CONTAINER_BYTES = 8000;

    @TempDir
    private Path root;

    private final List<StoredRegion> regions =
            Samples.inRegions(List.of(3, 1, 6, 2, 5, 1, 4), Samples.chunks(new Random(3), 22, 500));
    private Repository repository;
    private TestSession session;

    @BeforeEach
    void backUp() throws IOException {
        repository = Repository.open(root.resolve("repo"), Clock.systemUTC(), CONTAINER_BYTES);
        session = TestSession.open(repository);
        session.backUp("vm", regions);
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private List<Fingerprint> all() {
        return regions.stream()
                .flatMap(region -> region.fingerprints().stream())
                .toList();
    }

    private static void assertSame(List<StoredRegion> received, List<StoredRegion> expected) {
        assertThat(received).hasSameSizeAs(expected);
        for (int i = 0; i < received.size(); i++) {
            assertThat(received.get(i).chunks()).isEqualTo(expected.get(i).chunks());
            assertThat(received.get(i).codec()).isEqualTo(expected.get(i).codec());
            assertThat(received.get(i).storedDigest()).isEqualTo(expected.get(i).storedDigest());
            assertThat(received.get(i).stored().view())
                    .isEqualTo(expected.get(i).stored().view());
        }
    }

    /** What of the answer a region takes. */
    private static int answerBytes(StoredRegion region) {
        return 4 + region.encodedBytes();
    }

    @Test
    void everyRegionComesOnceInTheOrderInWhichItsFirstChunkIsAskedFor() throws IOException {
        Answer.Regions answer = session.fetchMany(1 << 20, all());
        assertThat(answer.answered()).isEqualTo(22);
        assertSame(answer.regions(), regions);
        List<Fingerprint> backwards = new ArrayList<>(all());
        Collections.reverse(backwards);
        backwards.addAll(all());
        List<StoredRegion> reversed = new ArrayList<>(regions);
        Collections.reverse(reversed);
        answer = session.fetchMany(1 << 20, backwards);
        assertThat(answer.answered()).isEqualTo(44);
        assertSame(answer.regions(), reversed);
    }

    @Test
    void oneChunkOfARegionBringsAllOfIt() throws IOException {
        Answer.Regions answer =
                session.fetchMany(1 << 20, regions.get(2).fingerprints().subList(4, 5));
        assertSame(answer.regions(), regions.subList(2, 3));
    }

    @Test
    void whatDoesNotFitIsLeftToTheNextRequestButNeverAll() throws IOException {
        for (int most = 0; most < 8000; most += 61) {
            List<Fingerprint> asked = all();
            List<StoredRegion> received = new ArrayList<>();
            while (!asked.isEmpty()) {
                Answer.Regions answer = session.fetchMany(most, asked);
                int bytes = answer.regions().stream()
                        .mapToInt(ManyFetchesTest::answerBytes)
                        .sum();
                assertThat(bytes <= most || answer.regions().size() == 1)
                        .as("within " + most)
                        .isTrue();
                assertThat(answer.answered()).isPositive();
                received.addAll(answer.regions());
                asked = asked.subList(answer.answered(), asked.size());
            }
            assertSame(received, regions);
        }
    }

    @Test
    void theLastRegionThatFitsIsAmongTheAnswer() throws IOException {
        int two = answerBytes(regions.get(0)) + answerBytes(regions.get(1));
        assertThat(session.fetchMany(two, all()).answered()).isEqualTo(4);
        assertThat(session.fetchMany(two - 1, all()).answered()).isEqualTo(3);
        // The first chunk of the region that has no room is the first that is not answered.
        assertThat(session.fetchMany(two + 1, all()).answered()).isEqualTo(4);
    }

    @Test
    void whatIsBeforeAChunkThatIsNotKeptComesAndThatOneIsNamedOnceItIsTheFirst() throws IOException {
        Fingerprint unknown = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {9}));
        List<Fingerprint> asked = new ArrayList<>(all());
        asked.add(10, unknown);
        Answer.Regions answer = session.fetchMany(1 << 20, asked);
        assertThat(answer.answered()).isEqualTo(10);
        assertSame(answer.regions(), regions.subList(0, 3));
        Answer.Failure refused =
                (Answer.Failure) session.ask(new Request.FetchMany(1 << 20, asked.subList(10, asked.size())));
        assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(refused.text()).contains(unknown.toString());
    }

    @Test
    void whatIsBeforeADamagedHeadComesAndAllOfThatRegionIsAskedForAgain() throws IOException {
        flip(regions.get(2), 84 + 36 + 3);
        Answer.Regions answer = session.fetchMany(1 << 20, all());
        assertThat(answer.answered()).isEqualTo(4);
        assertSame(answer.regions(), regions.subList(0, 2));
        for (Fingerprint chunk : regions.get(2).fingerprints()) {
            assertThatThrownBy(() -> session.fetchMany(1 << 20, List.of(chunk)))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("another CRC32C (while reading chunk " + chunk);
        }
        assertThat(session.isThere(regions.get(2))).isFalse();
        assertThat(session.isThere(regions.get(3))).isTrue();
    }

    @Test
    void storedBytesAreSentAsTheyLieThere() throws IOException {
        StoredRegion hit = regions.get(4);
        flip(hit, 84 + hit.stored().length() - 1);
        StoredRegion received =
                session.fetchMany(1 << 20, hit.fingerprints()).regions().get(0);
        assertThat(received.storedDigest()).isEqualTo(hit.storedDigest());
        assertThat(received.stored().digest()).isNotEqualTo(hit.storedDigest());
        assertThat(session.isThere(hit)).as("nobody knows yet").isTrue();
    }

    private void flip(StoredRegion region, int at) throws IOException {
        ChunkLocation place =
                repository.chunks().index().find(region.first().fingerprint()).orElseThrow();
        Path file =
                root.resolve("repo").resolve(repository.chunks().containers().name(place.container()));
        byte[] bytes = Files.readAllBytes(file);
        bytes[place.offset() + at] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void whatACollectionMovesMeanwhileIsFoundAgain() throws IOException {
        session.delete(session.backUp("old", Samples.chunks(new Random(9), 40, 500)));
        UpkeepAnswer.Collected step = session.beginCollection(false);
        while (!step.done()) {
            assertSame(session.fetchMany(1 << 20, all()).regions(), regions);
            step = session.nextStep();
        }
        assertThat(step.copiedBytes()).isPositive();
        assertSame(session.fetchMany(1 << 20, all()).regions(), regions);
    }

    @Test
    void aRegionLongerThanAskedForComesAllTheSame() throws IOException {
        StoredRegion longest = Samples.sealed(Samples.randomBytes(new Random(1), RegionFormat.MAX_CHUNK_BYTES));
        StoredRegion next = Samples.sealed(new byte[77]);
        session.put(longest);
        session.put(next);
        List<Fingerprint> asked =
                List.of(longest.first().fingerprint(), next.first().fingerprint());
        Answer.Regions answer = session.fetchMany(WireFormat.MAX_FETCH_BYTES, asked);
        assertThat(answer.answered()).isEqualTo(1);
        assertSame(answer.regions(), List.of(longest));
        assertThat(answer.bodyBytes()).isLessThanOrEqualTo(WireFormat.MAX_BODY_BYTES);
        answer = session.fetchMany(WireFormat.MAX_FETCH_BYTES, asked.subList(1, 2));
        assertSame(answer.regions(), List.of(next));
    }
}
