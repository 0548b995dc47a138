// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletion, rights, quotas, audit. */
class UpkeepTest {

    private static final Instant START = Instant.parse("2026-05-04T03:02:01Z");

    @TempDir
    private Path folder;

    private final List<StoredRegion> chunks = Samples.chunks(new Random(9), 6, 500);
    private Repository repository;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        open(START);
    }

    private void open(Instant now) throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.fixed(now, ZoneOffset.UTC));
        session = TestSession.open(repository);
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private static void assertFailure(ErrorCode code, String text, Answer answer) {
        assertThat(answer).isInstanceOfSatisfying(Answer.Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.text()).contains(text);
        });
    }

    private List<Long> ids() throws IOException {
        return ((Answer.Snapshots) session.ask(new Request.ListSnapshots(0)))
                .snapshots().stream().map(snapshot -> snapshot.id()).toList();
    }

    @Test
    void deletedSnapshotsAreGoneAndOthersStayAlsoAfterReopening() throws IOException {
        for (int i = 0; i < 4; i++) {
            session.backUp("vm", chunks);
        }
        session.delete(2, 4);
        assertThat(ids()).containsExactly(1L, 3L);
        close();
        open(START);
        assertThat(ids()).containsExactly(1L, 3L);
        session.assertRestores(3, chunks);
    }

    @Test
    void theIdOfADeletedSnapshotNeverComesBack() throws IOException {
        session.backUp("vm", chunks);
        session.backUp("vm", chunks);
        session.delete(1, 2);
        close();
        open(START);
        assertThat(session.backUp("vm", chunks)).isEqualTo(3);
    }

    @Test
    void aDamagedFileOfTheHighestIdIsRefusedByOffset() throws IOException {
        session.backUp("vm", chunks);
        session.delete(1);
        close();
        Path file = folder.resolve("repo/highest-id");
        byte[] good = Files.readAllBytes(file);
        assertThat(java.util.HexFormat.of().formatHex(good, 0, 20))
                .isEqualTo("534852444d41584900000001" + "0000000000000001");
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 2;
            Files.write(file, bad);
            assertThatThrownBy(() -> Repository.open(folder.resolve("repo"), Clock.systemUTC()))
                    .hasMessageContaining("highest-id: damaged at offset");
        }
        Files.write(file, good);
        open(START);
    }

    @Test
    void allAreDeletedOrNone() throws IOException {
        session.backUp("vm", chunks);
        assertFailure(
                ErrorCode.NOT_FOUND,
                "there is no snapshot 7 of client site1: nothing is deleted",
                session.ask(new UpkeepRequest.Delete(List.of(1L, 7L))));
        assertThat(ids()).containsExactly(1L);
        assertThat(Files.readAllLines(folder.resolve("repo/audit.log"))).hasSize(1);
    }

    @Test
    void anotherNamespacesSnapshotIsNotFound() throws IOException {
        session.backUp("vm", chunks);
        SnapshotName other = new SnapshotName("site2");
        ClientAccess access =
                new ClientAccess(other, other, EnumSet.allOf(Right.class), OptionalLong.empty(), Duration.ZERO);
        try (TestSession stranger = new TestSession(repository, access)) {
            assertFailure(
                    ErrorCode.NOT_FOUND,
                    "no snapshot 1 of client site2",
                    stranger.ask(new UpkeepRequest.Delete(List.of(1L))));
        }
        assertThat(ids()).containsExactly(1L);
    }

    @Test
    void everyDeletionIsInTheAuditLog() throws IOException {
        session.backUp("vm", chunks);
        session.delete(1);
        session.collect(false);
        List<String> lines = Files.readAllLines(folder.resolve("repo/audit.log"));
        assertThat(lines).hasSize(3);
        JsonNode snapshot = new ObjectMapper().readTree(lines.get(1));
        assertThat(snapshot.get("time").asText()).isEqualTo(START.toString());
        assertThat(snapshot.get("event").asText()).isEqualTo("snapshot-delete");
        assertThat(snapshot.get("client").asText()).isEqualTo("site1");
        assertThat(snapshot.get("snapshot").asLong()).isEqualTo(1);
        assertThat(snapshot.get("name").asText()).isEqualTo("vm");
        assertThat(snapshot.get("received").asText()).isEqualTo(START.toString());
        JsonNode container = new ObjectMapper().readTree(lines.get(2));
        assertThat(container.get("event").asText()).isEqualTo("container-delete");
        assertThat(container.get("deadChunks").asInt()).isEqualTo(6);
    }

    @Test
    void eachRequestNeedsItsRight() throws IOException {
        session.backUp("vm", chunks);
        Fingerprint chunk = chunks.get(0).first().fingerprint();
        Request show = new Request.Show(1, 0);
        Request lookup = new Request.Lookup(List.of(chunk));
        List<Request> append = List.of(
                show,
                lookup,
                new Request.Put(chunks.get(0)),
                new Request.Sync(),
                new Request.Begin(new SnapshotName("x"), Samples.SEAL),
                new Request.Append(Samples.pageOf(0, List.of(chunks.get(0)))),
                commit(0, 0, Fingerprint.ofData(ByteBuffer.allocate(1))));
        List<Request> fetch = List.of(
                new Request.Fetch(chunk), new Request.Verify(1, 0), new Request.VerifySome(VerifyScope.EVERYTHING, 0));
        List<Request> restore =
                Stream.concat(Stream.of(show, lookup), fetch.stream()).toList();
        List<Request> prune = List.of(
                new UpkeepRequest.Collect(true, true, 0),
                new UpkeepRequest.Collect(false, true, 0),
                new UpkeepRequest.Delete(List.of(1L)));
        List<Request> confirm = List.of(new UpkeepRequest.Confirm(1, chunk));
        List<Request> either = List.of(new UpkeepRequest.Pending(0), new UpkeepRequest.Withdraw(1));
        assertOnly(EnumSet.of(Right.APPEND), append, List.of(fetch, prune, confirm, either));
        assertOnly(
                EnumSet.of(Right.RESTORE), restore, List.of(append.subList(2, append.size()), prune, confirm, either));
        assertOnly(EnumSet.of(Right.PRUNE), prune, List.of(append, restore, confirm));
        assertOnly(EnumSet.of(Right.PRUNE), either, List.of());
        assertOnly(EnumSet.of(Right.CONFIRM), either, List.of(append, restore, prune));
        assertOnly(EnumSet.of(Right.CONFIRM), confirm, List.of());
        assertThat(Files.readAllLines(folder.resolve("repo/audit.log")))
                .filteredOn(line -> line.contains("\"event\":\"refused\",\"client\":\"site1\""))
                .as("the first of each session, once a minute for each kind")
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"request\":\"FETCH\","),
                        line -> assertThat(line).contains("\"request\":\"PUT\","),
                        line -> assertThat(line).contains("\"request\":\"SHOW\","));
    }

    private static Request commit(long imageBytes, long chunkCount, Fingerprint digest) {
        return new Request.Commit(imageBytes, chunkCount, digest, new SealedBytes(new byte[0]));
    }

    @Test
    void anImageThatClaimsToBeMuchShorterThanItsChunksIsRefused() throws IOException {
        ListPage page = Samples.pageOf(0, chunks);
        ContentDigest digest = new ContentDigest(Samples.SEAL);
        digest.add(page);
        session.begin("vm");
        for (StoredRegion chunk : chunks) {
            session.put(chunk);
        }
        assertThat(session.ask(new Request.Append(page))).isInstanceOf(Answer.Done.class);
        assertFailure(
                ErrorCode.INVALID,
                "not what was to be committed",
                session.ask(commit(1, chunks.size(), digest.finish())));
    }

    private void assertOnly(Set<Right> rights, List<Request> allowed, List<List<Request>> refused) throws IOException {
        ClientAccess access = TestSession.access(rights, OptionalLong.empty(), Duration.ZERO);
        try (TestSession limited = new TestSession(repository, access)) {
            assertThat(limited.ask(new Request.ListSnapshots(0))).isInstanceOf(Answer.Snapshots.class);
            assertThat(limited.ask(new UpkeepRequest.Stats())).isInstanceOf(UpkeepAnswer.Statistics.class);
            for (List<Request> group : refused) {
                for (Request request : group) {
                    assertFailure(ErrorCode.NOT_PERMITTED, "(" + request.type() + ")", limited.ask(request));
                }
            }
            for (Request request : allowed) {
                Answer answer = limited.ask(request);
                assertThat(answer instanceof Answer.Failure failure && failure.code() == ErrorCode.NOT_PERMITTED)
                        .as(request.type().name())
                        .isFalse();
            }
        }
    }

    @Test
    void aYoungSnapshotIsKeptWhateverTheRights() throws IOException {
        session.backUp("vm", chunks);
        ClientAccess access = TestSession.access(EnumSet.allOf(Right.class), OptionalLong.empty(), Duration.ofDays(7));
        try (TestSession limited = new TestSession(repository, access)) {
            assertFailure(
                    ErrorCode.NOT_PERMITTED,
                    "until it is 7 days old",
                    limited.ask(new UpkeepRequest.Delete(List.of(1L))));
        }
        close();
        open(START.plus(Duration.ofDays(7)));
        try (TestSession limited = new TestSession(repository, access)) {
            limited.delete(1);
        }
        assertThat(ids()).isEmpty();
    }

    @Test
    void aNamespaceKeepsNoMoreThanItsQuota() throws IOException {
        long image = chunks.stream()
                .map(StoredRegion::first)
                .mapToLong(ChunkRef::length)
                .sum();
        long quota = 3 * (32 << 10) - 1; // As long as the shortest images count.
        ClientAccess access = TestSession.access(EnumSet.allOf(Right.class), OptionalLong.of(quota), Duration.ZERO);
        try (TestSession limited = new TestSession(repository, access)) {
            limited.backUp("a", chunks);
            limited.backUp("b", chunks);
            assertFailure(
                    ErrorCode.QUOTA,
                    "prune snapshots, or raise its quota",
                    limited.ask(new Request.Begin(new SnapshotName("c"), Samples.SEAL)));
            limited.delete(1);
            limited.backUp("c", chunks);
            UpkeepAnswer.Statistics kept = limited.statistics();
            assertThat(kept.imageBytes()).isEqualTo(2 * image);
            assertThat(kept.quotaBytes()).isEqualTo(quota);
            assertThat(kept.snapshots()).isEqualTo(2);
            assertThat(kept.chunks()).isEqualTo(6);
            assertThat(kept.usableBytes()).isPositive();
        }
    }
}
