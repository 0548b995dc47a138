// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.snapshot;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A snapshot's pointers in the image's order, some at a time, each proved; asks for some pages ahead. One thread. */
public final class SnapshotPointers {

    private static final int PAGES_AHEAD = 4;

    private final SnapshotInfo snapshot;
    private final SnapshotOpener opener;
    private final SnapshotSummary summary;
    private final SnapshotList list;
    private final Queue<CompletableFuture<ListPage>> asked = new ArrayDeque<>();

    private int nextToAsk;
    private int nextToOpen;
    private Iterator<PointerRun> entries = List.<PointerRun>of().iterator();
    private @Nullable Pointer pointer;
    private int leftOfRun;
    private long pointers;

    /**
     * Opens the summary and asks which pages there are.
     *
     * @throws IOException also if the key does not prove the snapshot
     */
    public SnapshotPointers(AgentClient agent, RepositoryKey key, SnapshotInfo snapshot) throws IOException {
        this.snapshot = snapshot;
        this.opener = new SnapshotOpener(key, snapshot);
        this.summary = opener.summary();
        this.list = SnapshotList.of(agent, snapshot);
    }

    /** What the key proved the snapshot to be. */
    public SnapshotSummary summary() {
        return summary;
    }

    /** The next pointers, as many as a page may have entries; empty after the last. A run is as many as it counts. */
    public List<Pointer> nextPage() throws IOException {
        List<Pointer> next = new ArrayList<>();
        while (next.size() < ListPage.MAX_POINTERS && (leftOfRun > 0 || takeRun())) {
            int count = Math.min(leftOfRun, ListPage.MAX_POINTERS - next.size());
            for (int i = 0; i < count; i++) {
                next.add(Objects.requireNonNull(pointer));
            }
            leftOfRun -= count;
        }
        pointers += next.size();
        if (next.isEmpty() && pointers != snapshot.chunkCount()) {
            throw new IOException(SnapshotText.name(snapshot) + ": its list has " + pointers + " pointers, not "
                    + snapshot.chunkCount() + ": use another snapshot");
        }
        return next;
    }

    /** Goes on to the next run, on the next page if need be; returns whether there is one. */
    private boolean takeRun() throws IOException {
        while (!entries.hasNext()) {
            while (nextToAsk < list.count() && asked.size() < PAGES_AHEAD) {
                asked.add(list.page(nextToAsk++));
            }
            CompletableFuture<ListPage> page = asked.poll();
            if (page == null) {
                return false;
            }
            entries = opener.entries(nextToOpen++, Answers.await(page)).iterator();
        }
        PointerRun run = entries.next();
        pointer = run.pointer();
        leftOfRun = run.count();
        return true;
    }
}
