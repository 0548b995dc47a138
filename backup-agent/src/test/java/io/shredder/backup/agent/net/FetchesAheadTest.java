// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.session.FetchesAhead;
import io.shredder.backup.agent.session.RefusedException;
import io.shredder.backup.agent.session.RequestRights;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fetches of one connection that are read before their turn. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FetchesAheadTest {

    private static final int MOST_BYTES = 1 << 20;
    private static final int THREADS = 4;

    @TempDir
    private Path folder;

    private final List<StoredRegion> regions =
            Samples.inRegions(List.of(3, 1, 6, 2, 5, 1, 4), Samples.chunks(new Random(3), 22, 500));
    private Repository repository;
    private ContainerReader reader;
    private FetchesAhead fetches;

    @BeforeEach
    void backUp() throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC());
        repository.workers().limit(THREADS);
        try (TestSession session = TestSession.open(repository)) {
            session.backUp("vm", regions);
        }
        reader = repository.chunks().newReader();
        fetches = open(EnumSet.of(Right.RESTORE));
    }

    private FetchesAhead open(Set<Right> rights) {
        ClientAccess access = TestSession.access(rights, OptionalLong.empty(), Duration.ZERO);
        return new FetchesAhead(repository, new RequestRights(access, repository.audit()), reader);
    }

    @AfterEach
    void close() throws IOException {
        fetches.close();
        reader.close();
        repository.close();
    }

    private static Request.FetchMany asking(StoredRegion region) {
        return new Request.FetchMany(MOST_BYTES, region.fingerprints());
    }

    private void awaitDone(int count) {
        while (fetches.done() < count) {
            Thread.onSpinWait();
        }
    }

    private void assertAnswered(Request.FetchMany request, StoredRegion region) throws IOException, RefusedException {
        assertThat(TestSession.received(fetches.answer(request)).regions())
                .singleElement()
                .satisfies(answered -> {
                    assertThat(answered.chunks()).isEqualTo(region.chunks());
                    assertThat(answered.stored().view())
                            .isEqualTo(region.stored().view());
                });
    }

    @Test
    void thoseThatWaitAreReadWhileNobodyAsksForThemYet() throws Exception {
        List<Request.FetchMany> asked = new ArrayList<>();
        for (StoredRegion region : regions.subList(0, THREADS)) {
            asked.add(asking(region));
            fetches.begin(asked.get(asked.size() - 1));
        }
        awaitDone(THREADS);
        for (int i = THREADS - 1; i >= 0; i--) {
            assertThat(fetches.isRead(asked.get(i))).isTrue();
            assertAnswered(asked.get(i), regions.get(i));
        }
    }

    @Test
    void asManyAsThereAreThreadsAreBegun() {
        for (int i = 0; i < THREADS; i++) {
            assertThat(fetches.mayBegin(asking(regions.get(i)))).isTrue();
            fetches.begin(asking(regions.get(i)));
        }
        assertThat(fetches.mayBegin(asking(regions.get(5)))).isFalse();
    }

    @Test
    void nothingIsReadForWhoMayNotRestore() throws IOException {
        try (FetchesAhead other = open(EnumSet.of(Right.APPEND))) {
            assertThat(other.mayBegin(asking(regions.get(0)))).isFalse();
        }
    }

    @Test
    void damageThatIsFoundAheadIsNamedInItsTurnAndNotBefore() throws Exception {
        ChunkLocation at = repository
                .chunks()
                .index()
                .find(regions.get(1).first().fingerprint())
                .orElseThrow();
        Path file =
                folder.resolve("repo").resolve(repository.chunks().containers().name(at.container()));
        byte[] bytes = Files.readAllBytes(file);
        bytes[at.offset() + 2] ^= 1;
        Files.write(file, bytes);
        List<Request.FetchMany> asked = List.of(asking(regions.get(0)), asking(regions.get(1)), asking(regions.get(2)));
        asked.forEach(fetches::begin);
        awaitDone(asked.size());
        assertAnswered(asked.get(0), regions.get(0));
        assertThat(fetches.isRead(asked.get(1))).isFalse();
        assertThatThrownBy(() -> fetches.answer(asked.get(1))).isInstanceOf(DamagedDataException.class);
        assertAnswered(asked.get(2), regions.get(2));
    }

    @Test
    void anAnswerLongerThanItAllowsIsLeftToItsTurn() throws Exception {
        Request.FetchMany shorter = new Request.FetchMany(10, regions.get(2).fingerprints());
        fetches.begin(shorter);
        awaitDone(1);
        assertThat(fetches.isRead(shorter)).isFalse();
        assertAnswered(shorter, regions.get(2));
    }

    private static Frame frame(int number, Request request) {
        ByteBuffer body = ByteBuffer.allocate(request.bodyBytes());
        request.writeBody(body);
        return new Frame(request.type(), number, body.flip(), 0);
    }

    @Test
    void onlyWhatFollowsWithoutAnotherRequestBetweenIsReadAndOnlyWhileMemoryIsLeftForOneMore() {
        int whole = WireFormat.MAX_BODY_BYTES;
        ByteBudget work = new ByteBudget(2L * whole + 8L * MOST_BYTES);
        ClientMemory memory = new ClientMemory(
                new ByteBudget(whole), work, TestSession.CLIENT, new FlowShares(1 << 20).join(TestSession.CLIENT));
        FetchQueue queue = new FetchQueue(fetches, memory, "client");
        List<Frame> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(frame(i + 1, asking(regions.get(i))));
        }
        waiting.add(2, frame(9, new Request.Sync()));
        queue.lookAt(waiting);
        awaitDone(2);
        assertThat(queue.take(waiting.get(0))).isPresent();
        assertThat(queue.take(waiting.get(1))).isPresent();
        assertThat(queue.take(waiting.get(3))).isEmpty();
        ByteBudget little = new ByteBudget(2L * whole);
        FetchQueue poor = new FetchQueue(
                fetches,
                new ClientMemory(work, little, TestSession.CLIENT, new FlowShares(1 << 20).join(TestSession.CLIENT)),
                "client");
        Frame other = frame(1, asking(regions.get(5)));
        poor.lookAt(List.of(other));
        assertThat(poor.take(other)).isEmpty();
    }

    @Test
    void whatNobodyAsksForAnyMoreGivesItsMemoryBack() throws Exception {
        ByteBudget work = new ByteBudget(64L << 20);
        ClientMemory memory = new ClientMemory(
                new ByteBudget(64L << 20), work, TestSession.CLIENT, new FlowShares(1 << 20).join(TestSession.CLIENT));
        FetchQueue queue = new FetchQueue(fetches, memory, "client");
        queue.lookAt(List.of(frame(1, asking(regions.get(0))), frame(2, asking(regions.get(1)))));
        assertThat(work.tryTakeBeside(TestSession.CLIENT, 31L << 20, 0)).isFalse();
        fetches.close();
        queue.forget();
        assertThat(work.tryTakeBeside(TestSession.CLIENT, 32L << 20, 0)).isTrue();
    }
}
