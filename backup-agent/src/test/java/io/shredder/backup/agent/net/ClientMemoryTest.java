// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
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
import org.junit.jupiter.api.Test;

/** An agent takes memory for the longest answer before it begins to work on one. */
class ClientMemoryTest {

    private static final SnapshotName NAME = new SnapshotName("n".repeat(100));
    private static final Fingerprint DIGEST = Fingerprint.ofData(ByteBuffer.allocate(1));

    private final ClientMemory memory = new ClientMemory(new ByteBudget(1 << 30), new ByteBudget(1 << 30), NAME);

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
    void listsOfPagesAreCounted() throws InterruptedException {
        int most = PageDigests.MAX_DIGESTS;
        Answer longest = new PageDigests(most, Collections.nCopies(most, DIGEST), new BitSet());
        assertEnough(new ListRequest.ListPages(1, 0, false), longest);
    }
}
