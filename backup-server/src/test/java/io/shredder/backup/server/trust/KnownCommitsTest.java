// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.seal.SummarySealer;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site remembers of an agent: its files, and what they make of what the agent lists. */
class KnownCommitsTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final SnapshotName NAME = new SnapshotName("sv");
    private static final RepositoryKey KEY = RepositoryKey.generate(RANDOM);

    @TempDir
    private Path folder;

    private final List<SnapshotInfo> series = new ArrayList<>();
    private final AgentClient agent = AgentClient.over(new Greeter());
    private KnownCommits known;
    private Path file;

    /** An agent that only says who it is: nothing else is asked here. */
    private static final class Greeter implements AgentRoute {
        @Override
        public Answer.Greeting greeting() {
            return new Answer.Greeting(
                    5, 6, RegionFormat.MAX_CHUNK_BYTES, REPOSITORY, new SnapshotName("site1"), "greeter");
        }

        @Override
        public int version() {
            return 6;
        }

        @Override
        public CompletableFuture<Answer> ask(Request request) {
            throw new UnsupportedOperationException(request.toString());
        }

        @Override
        public void giveBack(List<StoredRegion> regions) {}

        @Override
        public long sentBytes() {
            return 0;
        }

        @Override
        public long receivedBytes() {
            return 0;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void name() {
        known = KnownCommits.in(folder.resolve("state"));
        file = folder.resolve("state/commits/" + REPOSITORY + "/" + KEY.id() + "/site1/sv.commit");
        for (long id = 1; id <= 5; id++) {
            series.add(next(KEY, id));
        }
    }

    private SnapshotInfo next(RepositoryKey key, long id) {
        ProvedSeries before = ProvedSeries.of(series, key, REPOSITORY);
        SnapshotSeal seal = new SnapshotSeal(key.id(), new UUID(RANDOM.nextLong(), RANDOM.nextLong()));
        Fingerprint content = Fingerprint.ofData(ByteBuffer.allocate(8).putLong(0, RANDOM.nextLong()));
        SnapshotSummary summary = new SnapshotSummary(
                100,
                1,
                Instant.ofEpochMilli(1_700_000_000_000L + id),
                ChunkingParams.ofAverage(4096),
                Optional.of(new SnapshotPlace(
                        REPOSITORY, id, before.nextOrdinal(), before.lastDigest(), AuditPosition.NONE)),
                Remarks.none());
        SealedBytes sealed = new SummarySealer(key, seal, NAME, RANDOM).seal(summary, content);
        return new SnapshotInfo(id, NAME, Instant.EPOCH, 100, 1, seal, sealed, content);
    }

    private ProvedSeries until(int count) {
        return ProvedSeries.of(series.subList(0, count), KEY, REPOSITORY);
    }

    private void check(int count) throws IOException {
        known.check(agent, KEY.id(), NAME, until(count));
    }

    private List<String> contradictions(List<SnapshotInfo> listed) throws IOException {
        return known.contradictions(agent, listed, name -> true);
    }

    @Test
    void whatAnotherProcessCommitsWhileTheAgentIsAskedIsNotMissed() throws IOException {
        check(2);
        Optional<KnownCommit> before = known.last(agent, KEY.id(), NAME);
        check(3); // By another process, behind the agent's answer to this one.
        known.check(agent, KEY.id(), NAME, until(2), before);
        assertThatThrownBy(() -> check(2)).as("3 stays known").isInstanceOf(BrokenTrustException.class);
    }

    @Test
    void damageOfAnyByteIsRefusedByFileAndOffsetAndAcceptingMendsIt() throws IOException {
        check(3);
        byte[] good = Files.readAllBytes(file);
        for (int at = 0; at < good.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] bad = good.clone();
                bad[at] ^= (byte) (1 << bit);
                assertRefused(bad);
            }
            assertRefused(Arrays.copyOf(good, at));
        }
        assertRefused(Arrays.copyOf(good, good.length + 1));
        known.accept(agent, KEY.id(), NAME, until(3));
        assertThat(Files.readAllBytes(file)).isEqualTo(good);
        check(3);
    }

    private void assertRefused(byte[] bytes) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(() -> check(3)).hasMessageStartingWith(file + ": damaged at offset");
        assertThatThrownBy(() -> known.checkNewId(agent, KEY.id(), NAME, 9, 0))
                .hasMessageStartingWith(file + ": damaged at offset");
        assertThatThrownBy(() -> contradictions(series)).hasMessageStartingWith(file + ": damaged at offset");
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    @Test
    void theFileHasExactlyTheDocumentedLine() throws IOException {
        check(3);
        String start = "shredder-commit-1 3 3 " + SnapshotPlace.digest(series.get(2)) + " 1700000000003 ";
        assertThat(Files.readString(file)).startsWith(start).matches("(?s).* [0-9a-f]{8}\n");
        new KnownCommit(7, 3, Fingerprint.parseHex("0a".repeat(32)), Instant.ofEpochMilli(1_700_000_000_003L))
                .replace(file);
        assertThat(Files.readString(file))
                .isEqualTo("shredder-commit-1 7 3 " + "0a".repeat(32) + " 1700000000003 90a16367\n");
    }

    @Test
    void anOlderViewNeverTakesTheNewerOnesPlaceWhoeverWritesLast() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 20; round++) {
                Files.deleteIfExists(file);
                List<Future<?>> writers = new ArrayList<>();
                List<Integer> counts = new ArrayList<>(List.of(1, 2, 3, 4, 5, 1, 2, 3));
                Collections.shuffle(counts, RANDOM);
                for (int count : counts) {
                    ProvedSnapshot last = until(count).last().orElseThrow();
                    writers.add(threads.submit(
                            () -> KnownCommits.in(folder.resolve("state")).committed(agent, KEY.id(), NAME, last)));
                }
                for (Future<?> writer : writers) {
                    writer.get();
                }
                assertThat(Files.readString(file)).startsWith("shredder-commit-1 5 5 ");
            }
        } finally {
            threads.shutdown();
        }
        try (Stream<Path> left = Files.list(file.getParent())) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("sv.commit", ".lock");
        }
    }

    @Test
    void aWriterThatDiedLeavesTheOldLineWhole() throws IOException {
        check(3);
        byte[] before = Files.readAllBytes(file);
        Files.writeString(file.resolveSibling(".sv.commit.new"), "shredder-commit-1 4");
        check(3);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        check(4);
        assertThat(Files.readString(file)).startsWith("shredder-commit-1 4 4 ");
    }

    @Test
    void aListingIsComparedWithoutTheKey() throws IOException {
        assertThat(contradictions(List.of())).isEmpty();
        check(3);
        assertThat(contradictions(series.subList(0, 3))).isEmpty();
        assertThat(contradictions(series)).isEmpty();
        assertThat(contradictions(series.subList(3, 5))).isEmpty();
        assertThat(contradictions(series.subList(0, 2)))
                .singleElement()
                .asString()
                .startsWith("the agent lists less of 'sv' than it had: sv@3, taken 2023-")
                .contains("shredder-backup accept sv");
        assertThat(contradictions(List.of())).hasSize(1);
        SnapshotInfo foreign = next(RepositoryKey.generate(RANDOM), 9);
        assertThat(contradictions(List.of(series.get(0), foreign))).hasSize(1);
        SnapshotInfo exchanged = next(KEY, 3);
        assertThat(contradictions(List.of(series.get(0), exchanged, series.get(3))))
                .singleElement()
                .asString()
                .startsWith("sv@3 is not the snapshot that this site knows by this name");
        assertThat(Files.readString(file)).startsWith("shredder-commit-1 3 3 ");
    }
}
