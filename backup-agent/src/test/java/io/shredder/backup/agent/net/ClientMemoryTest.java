// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.ListRequest;
import io.shredder.backup.wire.PageDigests;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An agent takes memory for the longest answer before it begins to work on one. */
class ClientMemoryTest {

    private static final SnapshotName NAME = new SnapshotName("n".repeat(100));
    private static final Fingerprint DIGEST = Fingerprint.ofData(ByteBuffer.allocate(1));

    private final ClientMemory memory = new ClientMemory(
            new ByteBudget(1 << 30), new ByteBudget(1 << 30), NAME, new FlowShares(1 << 20).join(NAME));

    private void assertEnough(Request request, Answer longest) throws InterruptedException {
        assertThat(memory.takeWork(request, () -> true))
                .as(request.type().name())
                .isGreaterThanOrEqualTo(ClientMemory.answerBytes(longest));
    }

    @Test
    void listsOfSnapshotsAreCounted() throws InterruptedException {
        SealedBytes summary = new SealedBytes(new byte[SnapshotInfo.MAX_SUMMARY_BYTES]);
        SnapshotInfo info = new SnapshotInfo(1, NAME, Instant.EPOCH, 1, 1, Samples.SEAL, summary, DIGEST);
        Answer longest = new Answer.Snapshots(Collections.nCopies(WireFormat.MAX_SNAPSHOTS_PAGE, info), List.of(), 0);
        assertEnough(new Request.ListSnapshots(0), longest);
        assertEnough(new SeriesRequest.ListSeries(0, NAME), longest);
    }

    @Test
    void aClientThatHasMoreUnderWayThanItsShareWaitsForItsOwnAnswersWhateverItWasTold() {
        AtomicLong clockNs = new AtomicLong();
        FlowShares flow = new FlowShares(2 << 20, clockNs::get);
        FlowShares.Share other = flow.join(new SnapshotName("other"));
        ByteBudget budget = new ByteBudget(1 << 30);
        ClientMemory own = new ClientMemory(budget, budget, NAME, flow.join(NAME));
        AtomicInteger retried = new AtomicInteger();
        assertThat(own.takeRequest(4 << 20, retried::incrementAndGet)).isTrue();
        assertThat(own.newWindow()).isEmpty();
        assertThat(other.used()).isEmpty();
        clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(own.newWindow()).hasValue(1 << 20);
        assertThat(own.takeRequest(1000, retried::incrementAndGet)).isFalse();
        own.giveBack(new Frame(FrameType.PUT, 1, ByteBuffer.allocate((4 << 20) - 256), 0));
        assertThat(retried).hasValue(1);
        assertThat(own.takeRequest(4 << 20, retried::incrementAndGet))
                .as("one alone")
                .isTrue();
        assertThat(own.takeRequest(1000, retried::incrementAndGet)).isFalse();
    }

    @Test
    void listsOfPagesAreCounted() throws InterruptedException {
        int most = PageDigests.MAX_DIGESTS;
        Answer longest = new PageDigests(most, Collections.nCopies(most, DIGEST), new BitSet());
        assertEnough(new ListRequest.ListPages(1, 0, false), longest);
    }
}
