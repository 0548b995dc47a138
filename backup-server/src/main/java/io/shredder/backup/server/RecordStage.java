// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Sends the pointers of each group, in the order of the image, once the agent has the group's chunks. One thread. */
final class RecordStage implements Stage {

    private static final int MAX_UNANSWERED = 64;

    private final AgentClient agent;
    private final Pipe<ChunkGroup> groups;
    private final ContentDigest digest;
    private final Queue<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private long imageBytes;
    private long chunkCount;

    RecordStage(AgentClient agent, Pipe<ChunkGroup> groups, ChunkingParams params) {
        this.agent = agent;
        this.groups = groups;
        this.digest = new ContentDigest(params);
    }

    @Override
    public void run() throws IOException {
        for (Optional<ChunkGroup> group = groups.take(); group.isPresent(); group = groups.take()) {
            Answers.await(group.get().forwarded());
            record(group.get());
        }
        settle(0);
    }

    private void record(ChunkGroup group) throws IOException {
        for (ChunkRef ref : group.refs()) {
            digest.add(ref);
            imageBytes += ref.length();
            chunkCount++;
        }
        unanswered.add(agent.append(group.refs()));
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

    /** Digest of its pointers; to be asked once, after {@link #run}. */
    Fingerprint contentDigest() {
        return digest.finish();
    }
}
