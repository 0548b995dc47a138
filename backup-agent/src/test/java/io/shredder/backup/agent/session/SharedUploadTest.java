// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Invitation;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UploadRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several connections that bring the chunks of one snapshot. */
class SharedUploadTest {

    @TempDir
    private Path folder;

    private Repository repository;
    private TestSession backup;
    private TestSession beside;
    private TestSession collector;
    private final List<StoredRegion> chunks = Samples.chunks(new Random(7), 4, 900);

    @BeforeEach
    void open() throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC());
        backup = TestSession.open(repository);
        beside = TestSession.open(repository);
        collector = TestSession.open(repository);
    }

    @AfterEach
    void close() throws IOException {
        backup.close();
        beside.close();
        collector.close();
        repository.close();
    }

    private UUID invite() throws IOException {
        return ((Invitation) backup.ask(new UploadRequest.Invite())).token();
    }

    private static void assertRefused(ErrorCode code, Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Failure.class);
        assertThat(((Answer.Failure) answer).code()).isEqualTo(code);
    }

    @Test
    void whatAJoinedConnectionPutsOrFindsStaysUntilTheSnapshotPointsToIt() throws IOException {
        backup.begin("vm");
        assertThat(beside.ask(new UploadRequest.Join(invite()))).isInstanceOf(Answer.Done.class);
        beside.put(chunks.get(0));
        assertThat(beside.isThere(chunks.get(0))).isTrue();
        collector.collect(false);
        backup.append(chunks.get(0));
        collector.collect(false);
        long id = backup.commit();
        collector.collect(false);
        collector.assertRestores(id, List.of(chunks.get(0)));
    }

    @Test
    void whatAConnectionPutsThatDidNotJoinMayBeCollected() throws IOException {
        backup.begin("vm");
        beside.put(chunks.get(0));
        collector.collect(false);
        assertRefused(ErrorCode.NOT_FOUND, backup.ask(new Request.Append(Samples.pageOf(0, List.of(chunks.get(0))))));
    }

    @Test
    void whatIsPutAfterTheSnapshotEndedIsPromisedToNobody() throws IOException {
        backup.begin("vm");
        beside.ask(new UploadRequest.Join(invite()));
        backup.put(chunks.get(0));
        backup.append(chunks.get(0));
        backup.commit();
        beside.put(chunks.get(1));
        collector.collect(false);
        assertThat(collector.isThere(chunks.get(1))).isFalse();
    }

    @Test
    void anInvitationEndsWithItsSnapshot() throws IOException {
        assertRefused(ErrorCode.INVALID, backup.ask(new UploadRequest.Invite()));
        backup.begin("vm");
        UUID invitation = invite();
        assertThat(invite()).isEqualTo(invitation);
        backup.put(chunks.get(0));
        backup.append(chunks.get(0));
        backup.commit();
        assertRefused(ErrorCode.NOT_FOUND, beside.ask(new UploadRequest.Join(invitation)));
        backup.begin("vm");
        UUID next = invite();
        assertThat(next).isNotEqualTo(invitation);
        backup.close();
        assertRefused(ErrorCode.NOT_FOUND, beside.ask(new UploadRequest.Join(next)));
    }

    @Test
    void aConnectionWithASnapshotOfItsOwnKeepsItsPromisesItself() throws IOException {
        backup.begin("vm");
        UUID invitation = invite();
        beside.ask(new UploadRequest.Join(invitation));
        beside.begin("other");
        assertRefused(ErrorCode.INVALID, beside.ask(new UploadRequest.Join(invitation)));
        beside.put(chunks.get(2));
        backup.close();
        collector.collect(false);
        beside.append(chunks.get(2));
        beside.commit();
    }

    @Test
    void anotherClientIsNotInvited() throws IOException {
        backup.begin("vm");
        UUID invitation = invite();
        SnapshotName other = new SnapshotName("site1-too");
        ClientAccess access = new ClientAccess(
                other, TestSession.CLIENT, EnumSet.allOf(Right.class), OptionalLong.empty(), Duration.ZERO);
        try (TestSession stranger = new TestSession(repository, access)) {
            assertRefused(ErrorCode.NOT_FOUND, stranger.ask(new UploadRequest.Join(invitation)));
        }
        assertRefused(ErrorCode.NOT_FOUND, beside.ask(new UploadRequest.Join(new UUID(1, 2))));
    }

    @Test
    void bothNeedTheRightToAppend() throws IOException {
        ClientAccess access = TestSession.access(EnumSet.of(Right.RESTORE), OptionalLong.empty(), Duration.ZERO);
        try (TestSession reader = new TestSession(repository, access)) {
            assertRefused(ErrorCode.NOT_PERMITTED, reader.ask(new UploadRequest.Invite()));
            assertRefused(ErrorCode.NOT_PERMITTED, reader.ask(new UploadRequest.Join(new UUID(1, 2))));
        }
    }
}
