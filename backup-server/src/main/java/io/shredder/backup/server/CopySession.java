// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SummarySealer;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.SnapshotCommit;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies snapshots from one agent to another, sealed as they are: list and chunks keep their seals, so the copy restores with the same key; the summary is
 * sealed again for its place there. Only chunks that the target doesn't have travel. The copy appears at its commit or not at all; an
 * interrupted one leaves chunks, which the next need not send.
 */
final class CopySession implements AutoCloseable {

    private static final int PAGES_AHEAD = 4;

    private final AgentClient source;
    private final AgentClient target;
    private final RepositoryKey key;
    private final ChunkTransfer transfer;
    private final AtomicLong copiedBytes = new AtomicLong();

    /** A page of the source, and which of its references the target has. */
    private record Asked(ListPage page, CompletableFuture<BitSet> found) {}

    /** The connections stay the caller's. */
    CopySession(AgentClient source, AgentClient target, RepositoryKey key) {
        this.source = source;
        this.target = target;
        this.key = key;
        this.transfer = new ChunkTransfer(source, target, key);
    }

    /**
     * Copies one; returns what the target made of it, durable.
     *
     * @param commit puts the copy at the end of the target's series
     */
    SnapshotInfo copy(ProvedSnapshot proved, SnapshotCommit commit) throws IOException {
        SnapshotInfo snapshot = proved.info();
        SnapshotOpener opener = new SnapshotOpener(key, snapshot);
        target.begin(snapshot.name(), snapshot.seal(), snapshot.imageBytes());
        Queue<CompletableFuture<Void>> appended = new ArrayDeque<>();
        Queue<Asked> ahead = new ArrayDeque<>();
        int pages = ListPage.pages(snapshot.chunkCount());
        int nextToAsk = 0;
        for (int number = 0; number < pages; number++) {
            while (nextToAsk < pages && ahead.size() < PAGES_AHEAD) {
                ahead.add(ask(snapshot, nextToAsk++));
            }
            Asked next = ahead.remove();
            List<Pointer> pointers = opener.pointers(number, next.page());
            bringMissing(next, pointers);
            appended.add(target.append(next.page()));
            while (appended.size() > PAGES_AHEAD) {
                Answers.await(appended.remove());
            }
            copiedBytes.addAndGet(Pointer.bytes(pointers));
        }
        while (!appended.isEmpty()) {
            Answers.await(appended.remove());
        }
        SummarySealer sealer = new SummarySealer(key, snapshot.seal(), snapshot.name(), new SecureRandom());
        return commit.commit(sealer, proved.summary(), snapshot.contentDigest());
    }

    private Asked ask(SnapshotInfo snapshot, int number) throws IOException {
        ListPage page = Answers.await(source.show(snapshot.id(), number));
        return new Asked(page, target.lookup(page.references()));
    }

    private void bringMissing(Asked asked, List<Pointer> pointers) throws IOException {
        BitSet found = Answers.await(asked.found());
        Set<ChunkRef> missing = new HashSet<>();
        for (Pointer pointer : pointers) {
            int place = java.util.Collections.binarySearch(asked.page().references(), pointer.fingerprint());
            if (!found.get(place) && missing.add(pointer.chunk())) {
                transfer.bring(pointer.chunk());
            }
        }
        transfer.finish();
        if (!transfer.failures().isEmpty()) {
            throw new IOException("nothing is copied: " + transfer.failures().get(0));
        }
    }

    /** How much of the images is copied; from any thread. */
    long copiedBytes() {
        return copiedBytes.get();
    }

    /** Chunks that the target didn't have. */
    long sentChunks() {
        return transfer.movedChunks();
    }

    /** Their stored bytes. */
    long sentBytes() {
        return transfer.movedBytes();
    }

    @Override
    public void close() {
        transfer.close();
    }
}
