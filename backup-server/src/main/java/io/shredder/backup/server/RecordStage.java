// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Seals and sends the pointers, in the order of the image, a page at a time, once the agent has the page's chunks. One thread. */
final class RecordStage implements Stage {

    private static final int MAX_UNANSWERED = 16;

    private final AgentClient agent;
    private final Pipe<ChunkGroup> groups;
    private final SnapshotSealer sealer;
    private final ContentDigest digest;
    private final List<Pointer> page = new ArrayList<>();
    private final Queue<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private long imageBytes;
    private long chunkCount;

    RecordStage(AgentClient agent, Pipe<ChunkGroup> groups, SnapshotSealer sealer) {
        this.agent = agent;
        this.groups = groups;
        this.sealer = sealer;
        this.digest = new ContentDigest(sealer.seal());
    }

    @Override
    public void run() throws IOException {
        for (Optional<ChunkGroup> group = groups.take(); group.isPresent(); group = groups.take()) {
            Answers.await(group.get().forwarded());
            record(group.get());
        }
        if (!page.isEmpty()) {
            sendPage();
        }
        settle(0);
    }

    private void record(ChunkGroup group) throws IOException {
        for (ChunkRef ref : group.refs()) {
            page.add(Pointer.to(ref));
            imageBytes += ref.length();
            chunkCount++;
            if (page.size() == WireFormat.PAGE_POINTERS) {
                sendPage();
            }
        }
    }

    private void sendPage() throws IOException {
        ListPage sealed = sealer.page(page);
        page.clear();
        digest.add(sealed);
        unanswered.add(agent.append(sealed));
        settle(MAX_UNANSWERED);
    }

    private void settle(int allowed) throws IOException {
        while (unanswered.size() > allowed) {
            Answers.await(unanswered.remove());
        }
    }

    /** Length of the image; to be asked after {@link #run}. */
    long imageBytes() {
        return imageBytes;
    }

    /** Number of its chunks; to be asked after {@link #run}. */
    long chunkCount() {
        return chunkCount;
    }

    /** Digest of its pages; to be asked once, after {@link #run}. */
    Fingerprint contentDigest() {
        return digest.finish();
    }
}
