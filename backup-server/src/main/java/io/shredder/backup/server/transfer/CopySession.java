// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SummarySealer;
import io.shredder.backup.server.snapshot.LastPages;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.SnapshotCommit;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.PageDigests;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies snapshots from one agent to another, sealed as they are: list and chunks keep their seals, so the copy
 * restores with the same key; the summary is sealed again for its place there. Only chunks that the target doesn't have
 * travel. The copy appears at its commit or not at all; an interrupted one leaves chunks, which the next need not send.
 */
public final class CopySession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CopySession.class);
    private static final int PAGES_AHEAD = 4;

    /** Pages whose chunks may be on their way at once. */
    private static final int PAGES_MOVING = 2;

    private final AgentClient source;
    private final AgentClient target;
    private final RepositoryKey key;
    private final ChunkTransfer transfer;
    private final AtomicLong copiedBytes = new AtomicLong();

    /** A page of the source, and which of its references the target has. */
    private record Asked(ListPage page, CompletableFuture<BitSet> found) {}

    /**
     * A page that the target gets once it has its chunks.
     *
     * @param shared the number that the target's newest snapshot has it under
     * @param mark of the chunks that it needs
     */
    private record Moving(ListPage page, OptionalInt shared, long mark, long imageBytes) {}

    /** The connections stay the caller's. */
    public CopySession(AgentClient source, AgentClient target, RepositoryKey key, Cores cores) {
        this.source = source;
        this.target = target;
        this.key = key;
        this.transfer = new ChunkTransfer(source, target, key, cores);
    }

    /**
     * Copies one; returns what the target made of it, durable.
     *
     * @param commit puts the copy at the end of the target's series
     * @param newest the newest there, if there is one, with which the copy may share pages
     */
    public SnapshotInfo copy(ProvedSnapshot proved, SnapshotCommit commit, Optional<SnapshotInfo> newest)
            throws IOException {
        SnapshotInfo snapshot = proved.info();
        LastPages there = pagesThere(snapshot, newest);
        if (snapshot.seal().isShared() && !target.sharesPages()) {
            throw new IOException("the second agent is too old for " + SnapshotText.name(snapshot) + ": upgrade it");
        }
        SnapshotOpener opener = new SnapshotOpener(key, snapshot);
        SnapshotList list = SnapshotList.of(source, snapshot);
        target.begin(snapshot.name(), snapshot.seal(), snapshot.imageBytes());
        Queue<CompletableFuture<Void>> appended = new ArrayDeque<>();
        Queue<Moving> moving = new ArrayDeque<>();
        Queue<Asked> ahead = new ArrayDeque<>();
        int nextToAsk = 0;
        for (int number = 0; number < list.count(); number++) {
            while (nextToAsk < list.count() && ahead.size() < PAGES_AHEAD) {
                ahead.add(ask(list, nextToAsk++, there));
            }
            Asked next = ahead.remove();
            moving.add(move(
                    next,
                    opener.entries(number, next.page()),
                    there.find(next.page().digest(), number),
                    there));
            while (moving.size() > PAGES_MOVING) {
                append(moving.remove(), there, appended);
            }
        }
        while (!moving.isEmpty()) {
            append(moving.remove(), there, appended);
        }
        while (!appended.isEmpty()) {
            Answers.await(appended.remove());
        }
        SummarySealer sealer = new SummarySealer(key, snapshot.seal(), snapshot.name(), new SecureRandom());
        return commit.commit(sealer, proved.summary(), snapshot.contentDigest());
    }

    private Moving move(Asked next, List<PointerRun> entries, OptionalInt known, LastPages there) throws IOException {
        boolean isThere = known.isPresent() && there.isSound(known.getAsInt());
        if (!isThere) {
            bringMissing(next, entries);
        }
        return new Moving(
                next.page(),
                isThere ? known : OptionalInt.empty(),
                transfer.mark(),
                entries.stream().mapToLong(PointerRun::bytes).sum());
    }

    /** In the order of the list. */
    private void append(Moving ready, LastPages there, Queue<CompletableFuture<Void>> appended) throws IOException {
        transfer.finish(ready.mark());
        if (!transfer.failures().isEmpty()) {
            throw new IOException("nothing is copied: " + transfer.failures().get(0));
        }
        appended.add(
                ready.shared().isPresent()
                        ? target.share(there.snapshotId(), ready.shared().getAsInt(), 1)
                        : target.append(ready.page()));
        while (appended.size() > PAGES_AHEAD) {
            Answers.await(appended.remove());
        }
        copiedBytes.addAndGet(ready.imageBytes());
    }

    private Asked ask(SnapshotList list, int number, LastPages there) throws IOException {
        ListPage page = Answers.await(list.page(number));
        OptionalInt known = there.find(page.digest(), number);
        boolean isThere = known.isPresent() && there.isSound(known.getAsInt());
        return new Asked(
                page, isThere ? CompletableFuture.completedFuture(new BitSet()) : target.lookup(page.references()));
    }

    /** Pages that the target's newest snapshot of the series has; none if it can't list them. */
    private LastPages pagesThere(SnapshotInfo snapshot, Optional<SnapshotInfo> newest) {
        if (!snapshot.seal().isShared()
                || newest.isEmpty()
                || !newest.get().seal().isShared()) {
            return LastPages.none();
        }
        try {
            PageDigests pages = target.listPages(newest.get().id(), true);
            SnapshotList.check(newest.get(), pages.digests());
            return LastPages.of(newest.get(), pages);
        } catch (IOException e) {
            LOG.info("no page at the second agent is shared: {}", e.getMessage());
            return LastPages.none();
        }
    }

    private void bringMissing(Asked asked, List<PointerRun> entries) throws IOException {
        BitSet found = Answers.await(asked.found());
        Set<ChunkRef> missing = new HashSet<>();
        for (PointerRun entry : entries) {
            Pointer pointer = entry.pointer();
            int place = java.util.Collections.binarySearch(asked.page().references(), pointer.fingerprint());
            if (!found.get(place) && missing.add(pointer.chunk())) {
                transfer.bring(pointer.chunk());
            }
        }
    }

    /** How much of the images is copied; from any thread. */
    public long copiedBytes() {
        return copiedBytes.get();
    }

    /** Chunks that the target didn't have. */
    public long sentChunks() {
        return transfer.movedChunks();
    }

    /** Their stored bytes. */
    public long sentBytes() {
        return transfer.movedBytes();
    }

    @Override
    public void close() {
        transfer.close();
    }
}
