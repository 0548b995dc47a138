// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.snapshot;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The pages of a snapshot's list at an agent. Those of a shared list are proved here: together by the content digest,
 * which the summary seals, and each by its own digest; those of a private list are proved when they are opened. Safe
 * for any number of threads.
 */
public final class SnapshotList {

    private final AgentClient agent;
    private final SnapshotInfo snapshot;
    private final int count;

    /** Of a shared list; empty for a private one. */
    private final List<Fingerprint> digests;

    private SnapshotList(AgentClient agent, SnapshotInfo snapshot, int count, List<Fingerprint> digests) {
        this.agent = agent;
        this.snapshot = snapshot;
        this.count = count;
        this.digests = digests;
    }

    /** Asks which pages there are, unless that is clear. */
    public static SnapshotList of(AgentClient agent, SnapshotInfo snapshot) throws IOException {
        if (!snapshot.seal().isShared()) {
            return new SnapshotList(agent, snapshot, ListPage.pages(snapshot.chunkCount()), List.of());
        }
        List<Fingerprint> digests = agent.listPages(snapshot.id(), false).digests();
        check(snapshot, digests);
        return new SnapshotList(agent, snapshot, digests.size(), digests);
    }

    /** Refuses digests that are not those of all the pages of a shared list, in order. */
    public static void check(SnapshotInfo snapshot, List<Fingerprint> digests) throws IOException {
        ContentDigest content = new ContentDigest(snapshot.seal());
        digests.forEach(content::addPage);
        if (!content.finish().equals(snapshot.contentDigest())) {
            throw broken(snapshot, "the agent lists other pages than were committed");
        }
    }

    /** The same list, proved already, asked of the same agent by another connection. */
    public SnapshotList at(AgentClient another) {
        return new SnapshotList(another, snapshot, count, digests);
    }

    private static IOException broken(SnapshotInfo snapshot, String problem) {
        return new IOException(SnapshotText.name(snapshot) + ": " + problem
                + ": its copy was damaged or forged; run 'shredder-backup verify', use another snapshot");
    }

    /** How many pages there are. */
    public int count() {
        return count;
    }

    /** What names each page of a shared list. */
    public List<Fingerprint> digests() {
        return digests;
    }

    /** Asks for a page. */
    public CompletableFuture<ListPage> page(int number) {
        CompletableFuture<ListPage> asked = agent.show(snapshot.id(), number);
        return digests.isEmpty() ? asked : asked.thenApply(page -> proved(number, page));
    }

    private ListPage proved(int number, ListPage page) {
        if (page.digest().equals(digests.get(number))) {
            return page;
        }
        throw new CompletionException(
                broken(snapshot, "page " + number + " of its list is another than was committed"));
    }
}
