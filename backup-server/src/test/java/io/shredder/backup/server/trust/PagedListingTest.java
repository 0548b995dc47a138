// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An agent that lists for ever, again, or what was not asked for. */
class PagedListingTest {

    private static final SnapshotName NAME = new SnapshotName("vm");

    /** Nothing that is asked for so often has an end. */
    private static final int ENDLESS = 20_000;

    private int asked;

    private AgentClient agent(LongFunction<Answer.Snapshots> pages) {
        asked = 0;
        return AgentClient.over(new ScriptedRoute(new UUID(1, 2), request -> {
            if (++asked == ENDLESS) {
                throw new AssertionError("still asks");
            }
            return pages.apply(
                    request instanceof SeriesRequest.ListSeries series
                            ? series.afterId()
                            : ((Request.ListSnapshots) request).afterId());
        }));
    }

    private static SnapshotInfo snapshot(String name, long id, int summaryBytes) {
        return new SnapshotInfo(
                id,
                new SnapshotName(name),
                Instant.EPOCH,
                100,
                1,
                new SnapshotSeal(new KeyId(1, 2), new UUID(3, id)),
                new SealedBytes(new byte[summaryBytes]),
                Fingerprint.ofData(ByteBuffer.allocate(Long.BYTES).putLong(0, id)));
    }

    private static Answer.Snapshots page(String name, long from, long to, long next) {
        return new Answer.Snapshots(
                LongStream.rangeClosed(from, to)
                        .mapToObj(id -> snapshot(name, id, 100))
                        .toList(),
                List.of(),
                next);
    }

    private static void assertRefused(String says, ThrowingCallable listing) {
        assertThatThrownBy(listing)
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL))
                .hasMessageContaining(says);
    }

    @Test
    void pagesThatRiseAreReadToTheirEnd() throws IOException {
        LongFunction<Answer.Snapshots> pages =
                after -> after == 0 ? page("vm", 2, 5, 7) : after == 7 ? page("vm", 8, 9, 11) : page("vm", 12, 12, 0);
        assertThat(AgentSeries.list(agent(pages), NAME).snapshots())
                .extracting(SnapshotInfo::id)
                .containsExactly(2L, 3L, 4L, 5L, 8L, 9L, 12L);
        assertThat(AgentSeries.listAll(agent(pages)).snapshots()).hasSize(7);
    }

    @Test
    void aPageThatComesAgainIsRefused() {
        List<String> damaged =
                IntStream.range(0, 4000).mapToObj(i -> "x".repeat(2000) + i).toList();
        Answer.Snapshots again = new Answer.Snapshots(List.of(), damaged, 1);
        assertRefused("no end", () -> AgentSeries.list(agent(after -> again), NAME));
        assertThat(asked).isEqualTo(2);
        assertRefused("no end", () -> AgentSeries.listAll(agent(after -> again)));
        assertRefused("does not belong", () -> AgentSeries.listAll(agent(after -> page("vm", 1, 3, 3))));
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void pagesWithoutEndAreRefusedAndLittleOfThemIsKept() {
        assertRefused(
                "more than any client has",
                () -> AgentSeries.list(
                        agent(after -> new Answer.Snapshots(
                                List.of(),
                                IntStream.range(0, 50)
                                        .mapToObj(i -> "x".repeat(1900) + after + "." + i)
                                        .toList(),
                                after + 1)),
                        NAME));
        SnapshotInfo large = snapshot("vm", 1, 4000);
        assertRefused(
                "more than any client has",
                () -> AgentSeries.listAll(agent(after -> new Answer.Snapshots(
                        LongStream.rangeClosed(after + 1, after + 1000)
                                .mapToObj(id -> new SnapshotInfo(
                                        id,
                                        large.name(),
                                        large.received(),
                                        large.imageBytes(),
                                        large.chunkCount(),
                                        large.seal(),
                                        large.summary(),
                                        large.contentDigest()))
                                .toList(),
                        List.of(),
                        after + 1000))));
        assertThat(asked).as("pages of 4 MB").isLessThan(80);
    }

    @Test
    void whatWasNotAskedForIsRefused() {
        assertRefused("does not belong", () -> AgentSeries.list(agent(after -> page("vm", 0, 0, 0)), NAME));
        assertRefused(
                "does not belong",
                () -> AgentSeries.list(agent(after -> after == 0 ? page("vm", 1, 3, 3) : page("vm", 3, 4, 0)), NAME));
        assertRefused("does not belong", () -> AgentSeries.list(agent(after -> page("vm", 1, 9, 3)), NAME));
        assertThatThrownBy(() -> AgentSeries.list(agent(after -> page("db", 1, 1, 0)), NAME))
                .isInstanceOf(BrokenTrustException.class)
                .hasMessageContaining("lists db@1 in the series 'vm'");
    }
}
