// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions that a second client must confirm, tried as an attacker with one certificate would. */
class TwoPeopleTest {

    private static final Instant START = Instant.parse("2026-05-04T03:02:01Z");
    private static final String GUARDED =
            """
            clients:
              site1: {rights: [append, restore]}
              site1-admin: {namespace: site1, rights: [restore, prune, confirm]}
              site1-second: {namespace: site1, rights: [prune, confirm]}
              site2-admin: {namespace: site2, rights: [prune, confirm]}
              site2: {rights: [append, restore, confirm]}
            namespaces:
              site1: {delete-needs: confirm, confirm-within-hours: 24}
            """;

    @TempDir
    private Path folder;

    private final List<StoredRegion> chunks = Samples.chunks(new Random(9), 6, 500);
    private final Set<BigInteger> revoked = new HashSet<>();
    private final List<TestSession> sessions = new ArrayList<>();
    private AccessFile rights;
    private Repository repository;
    private TestSession site;
    private TestSession admin;
    private TestSession second;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("rights.yaml"), GUARDED);
        rights = AccessFile.open(folder.resolve("rights.yaml"));
        open(START);
    }

    private void open(Instant now) throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.fixed(now, ZoneOffset.UTC));
        site = session("site1");
        admin = session("site1-admin");
        second = session("site1-second");
    }

    /** A certificate's serial number is the length of its name, which is another's for each of these. */
    private TestSession session(String name) throws IOException {
        SnapshotName client = new SnapshotName(name);
        ShownCertificate shown = new ShownCertificate(
                client,
                BigInteger.valueOf(name.length()),
                (asked, serial) -> revoked.contains(serial)
                        ? Optional.empty()
                        : rights.current().of(asked));
        TestSession session =
                new TestSession(repository, rights.current().of(client).orElseThrow(), shown);
        sessions.add(session);
        return session;
    }

    @AfterEach
    void close() throws IOException {
        for (TestSession session : sessions) {
            session.close();
        }
        sessions.clear();
        repository.close();
    }

    private List<Long> ids() throws IOException {
        return ((Answer.Snapshots) site.ask(new Request.ListSnapshots(0)))
                .snapshots().stream().map(snapshot -> snapshot.id()).toList();
    }

    private static PendingDeletion ask(TestSession session, Long... ids) throws IOException {
        Answer answer = session.ask(new UpkeepRequest.Delete(Arrays.asList(ids)));
        assertThat(answer).isInstanceOf(UpkeepAnswer.Pending.class);
        return ((UpkeepAnswer.Pending) answer).deletion().orElseThrow();
    }

    private static Answer confirm(TestSession session, PendingDeletion deletion) throws IOException {
        return session.ask(new UpkeepRequest.Confirm(deletion.id(), deletion.digest()));
    }

    private static Optional<PendingDeletion> pending(TestSession session) throws IOException {
        return ((UpkeepAnswer.Pending) session.ask(new UpkeepRequest.Pending(0))).deletion();
    }

    private static void assertFailure(ErrorCode code, String text, Answer answer) {
        assertThat(answer).isInstanceOfSatisfying(Answer.Failure.class, failure -> {
            assertThat(failure.text()).contains(text);
            assertThat(failure.code()).isEqualTo(code);
        });
    }

    private List<JsonNode> audit(String event) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("repo/audit.log"))) {
            JsonNode read = new ObjectMapper().readTree(line);
            if (read.get("event").asText().equals(event)) {
                lines.add(read);
            }
        }
        return lines;
    }

    @Test
    void nothingGoesBeforeASecondClientConfirmsItAndBothAreWrittenDown() throws IOException {
        site.backUp("vm", chunks);
        site.backUp("vm", chunks);
        PendingDeletion asked = ask(admin, 1L);
        assertThat(ids()).containsExactly(1L, 2L);
        assertThat(pending(second)).contains(asked);
        assertThat(asked.until()).isEqualTo(START.plus(Duration.ofHours(24)));
        assertThat(confirm(second, asked)).isInstanceOf(Answer.Done.class);
        assertThat(ids()).containsExactly(2L);
        assertThat(pending(admin)).isEmpty();
        for (String event : List.of("deletion-confirmed", "snapshot-delete")) {
            assertThat(audit(event)).singleElement().satisfies(line -> {
                assertThat(line.get("client").asText()).isEqualTo("site1-admin");
                assertThat(line.get("confirmedBy").asText()).isEqualTo("site1-second");
                assertThat(line.get("request").asLong()).isEqualTo(asked.id());
            });
        }
        assertFailure(ErrorCode.NOT_FOUND, "no request 1 waits", confirm(second, asked));
    }

    @Test
    void nobodyConfirmsTheirOwnRequestAndWhoTriesIsWrittenDown() throws IOException {
        site.backUp("vm", chunks);
        PendingDeletion asked = ask(admin, 1L);
        assertFailure(ErrorCode.NOT_PERMITTED, "another one must confirm it", confirm(admin, asked));
        assertFailure(ErrorCode.NOT_PERMITTED, "lacks the right 'confirm'", confirm(site, asked));
        assertFailure(ErrorCode.NOT_PERMITTED, "another one must confirm it", confirm(session("site1-admin"), asked));
        assertThat(ids()).containsExactly(1L);
        assertThat(audit("refused"))
                .extracting(line -> line.get("client").asText())
                .as("one a minute for each")
                .containsExactly("site1-admin", "site1");
    }

    @Test
    void whatIsAskedForOnceItWasShownHasAnotherNumber() throws IOException {
        site.backUp("vm", chunks);
        site.backUp("vm", chunks);
        PendingDeletion shown = ask(admin, 1L);
        PendingDeletion changed = ask(admin, 1L, 2L);
        assertFailure(ErrorCode.NOT_FOUND, "withdrawn", confirm(second, shown));
        assertThat(admin.ask(new UpkeepRequest.Withdraw(changed.id()))).isInstanceOf(Answer.Done.class);
        PendingDeletion again = ask(admin, 2L);
        assertThat(again.id()).isEqualTo(3);
        assertFailure(
                ErrorCode.INVALID,
                "not the one that was looked at",
                second.ask(new UpkeepRequest.Confirm(again.id(), shown.digest())));
        assertThat(ids()).containsExactly(1L, 2L);
    }

    @Test
    void whatCameLaterStays() throws IOException {
        site.backUp("vm", chunks);
        PendingDeletion asked = ask(admin, 1L);
        site.backUp("vm", chunks);
        assertThat(confirm(second, asked)).isInstanceOf(Answer.Done.class);
        assertThat(ids()).containsExactly(2L);
        second.collect(false);
        site.assertRestores(2, chunks);
    }

    @Test
    void aRequestOutlivesTheAgentButNotItsTime() throws IOException {
        site.backUp("vm", chunks);
        site.backUp("vm", chunks);
        PendingDeletion asked = ask(admin, 1L);
        close();
        open(START.plus(Duration.ofHours(23)));
        assertThat(pending(second)).contains(asked);
        assertThat(confirm(second, asked)).isInstanceOf(Answer.Done.class);
        PendingDeletion late = ask(admin, 2L);
        close();
        open(START.plus(Duration.ofHours(47)));
        assertFailure(ErrorCode.NOT_FOUND, "has lapsed", confirm(second, late));
        assertThat(ids()).containsExactly(2L);
    }

    @Test
    void anotherNamespaceNeitherAsksNorSeesNorConfirms() throws IOException {
        site.backUp("vm", chunks);
        TestSession stranger = session("site2-admin");
        assertFailure(
                ErrorCode.NOT_FOUND,
                "no snapshot 1 of client site2",
                stranger.ask(new UpkeepRequest.Delete(List.of(1L))));
        PendingDeletion asked = ask(admin, 1L);
        assertThat(pending(stranger)).isEmpty();
        assertFailure(ErrorCode.NOT_FOUND, "no request 1 waits in namespace site2", confirm(stranger, asked));
        assertFailure(ErrorCode.NOT_FOUND, "no request 1 waits", stranger.ask(new UpkeepRequest.Withdraw(1)));
        assertThat(pending(second)).contains(asked);
        session("site2").backUp("vm", chunks);
        stranger.delete(2);
    }

    @Test
    void revokedCertificatesNeitherAskNorConfirmNorHaveWhatTheyAskedForDone() throws IOException {
        site.backUp("vm", chunks);
        PendingDeletion asked = ask(admin, 1L);
        revoked.add(BigInteger.valueOf("site1-second".length()));
        assertFailure(ErrorCode.NOT_PERMITTED, "or its certificate is revoked", confirm(second, asked));
        revoked.clear();
        revoked.add(BigInteger.valueOf("site1-admin".length()));
        assertFailure(
                ErrorCode.NOT_PERMITTED,
                "client site1-admin, which asked for request 1, lacks the right 'prune' in namespace site1 by now",
                confirm(second, asked));
        assertFailure(
                ErrorCode.NOT_PERMITTED,
                "its certificate is revoked",
                admin.ask(new UpkeepRequest.Delete(List.of(1L))));
        assertThat(ids()).containsExactly(1L);
    }

    @Test
    void rulesThatChangeCountForConnectionsThatAreOpen() throws IOException {
        Files.writeString(
                folder.resolve("rights.yaml"), "clients:\n  site1: {rights: [append, restore, prune, confirm]}\n");
        TestSession early = session("site1");
        early.backUp("vm", chunks);
        early.backUp("vm", chunks);
        Files.writeString(
                folder.resolve("rights.yaml"),
                "clients:\n  site1: {rights: [append, restore, prune]}\n  site1-second: {namespace: site1, rights: [confirm]}\n"
                        + "namespaces:\n  site1: {delete-needs: confirm}\n");
        PendingDeletion asked = ask(early, 1L);
        Files.writeString(
                folder.resolve("rights.yaml"),
                "clients:\n  site1: {rights: [append]}\n  site1-second: {namespace: site1, rights: [confirm]}\n");
        assertFailure(ErrorCode.NOT_PERMITTED, "which asked for request 1", confirm(second, asked));
        assertFailure(
                ErrorCode.NOT_PERMITTED, "lacks the right 'prune'", early.ask(new UpkeepRequest.Delete(List.of(1L))));
        assertThat(ids()).containsExactly(1L, 2L);
    }

    @Test
    void youngSnapshotsAreNoMoreDeletedByTwoThanByOne() throws IOException {
        Files.writeString(
                folder.resolve("rights.yaml"),
                GUARDED.replace("[restore, prune, confirm]}", "[prune, confirm], min-age-days: 7}"));
        site.backUp("vm", chunks);
        assertFailure(
                ErrorCode.NOT_PERMITTED,
                "until it is 7 days old",
                session("site1-admin").ask(new UpkeepRequest.Delete(List.of(1L))));
    }

    @Test
    void collectingNeedsNoSecondClientSinceItTakesNothingThatASnapshotNeeds() throws IOException {
        site.backUp("vm", chunks);
        ask(admin, 1L);
        admin.collect(false);
        site.assertRestores(1, chunks);
    }

    @Test
    void aDamagedFileOfRequestsKeepsDeletionsFromBeingDoneAndNothingElse() throws IOException {
        site.backUp("vm", chunks);
        PendingDeletion asked = ask(admin, 1L);
        Path file = folder.resolve("repo/pending/site1");
        byte[] bytes = Files.readAllBytes(file);
        bytes[80] ^= 1;
        Files.write(file, bytes);
        String expected = file + ": damaged at offset";
        assertFailure(ErrorCode.DAMAGED, expected, confirm(second, asked));
        assertFailure(ErrorCode.DAMAGED, expected, admin.ask(new UpkeepRequest.Delete(List.of(1L))));
        assertFailure(ErrorCode.DAMAGED, expected, admin.ask(new UpkeepRequest.Pending(0)));
        assertFailure(ErrorCode.DAMAGED, expected, admin.ask(new UpkeepRequest.Withdraw(1)));
        site.backUp("vm", chunks);
        assertThat(ids()).containsExactly(1L, 2L);
    }

    @Test
    void aMadeUpDigestOrNumberConfirmsNothing() throws IOException {
        site.backUp("vm", chunks);
        ask(admin, 1L);
        Fingerprint other = Fingerprint.ofData(ByteBuffer.allocate(3));
        assertFailure(ErrorCode.INVALID, "looked at", second.ask(new UpkeepRequest.Confirm(1, other)));
        for (long id : new long[] {0, 2, Long.MAX_VALUE}) {
            assertFailure(ErrorCode.NOT_FOUND, "no request", second.ask(new UpkeepRequest.Confirm(id, other)));
        }
        assertThat(ids()).containsExactly(1L);
    }
}
