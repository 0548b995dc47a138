// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SnapshotSummary;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** The pointers of a snapshot in the order of the image, a page at a time, each proved; some pages are asked for ahead. One thread. */
final class SnapshotPointers {

    private static final int PAGES_AHEAD = 4;

    private final AgentClient agent;
    private final SnapshotInfo snapshot;
    private final SnapshotOpener opener;
    private final SnapshotSummary summary;
    private final Queue<CompletableFuture<ListPage>> asked = new ArrayDeque<>();

    private int nextToAsk;
    private int nextToOpen;

    SnapshotPointers(AgentClient agent, RepositoryKey key, SnapshotInfo snapshot) throws IOException {
        this.agent = agent;
        this.snapshot = snapshot;
        this.opener = new SnapshotOpener(key, snapshot);
        this.summary = opener.summary();
    }

    SnapshotSummary summary() {
        return summary;
    }

    /** The next page; empty after the last. */
    List<Pointer> nextPage() throws IOException {
        int pages = ListPage.pages(snapshot.chunkCount());
        while (nextToAsk < pages && asked.size() < PAGES_AHEAD) {
            asked.add(agent.show(snapshot.id(), nextToAsk++));
        }
        CompletableFuture<ListPage> page = asked.poll();
        return page == null ? List.of() : opener.pointers(nextToOpen++, Answers.await(page));
    }
}
