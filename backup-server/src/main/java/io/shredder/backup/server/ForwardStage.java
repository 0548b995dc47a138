// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.seal.ChunkSealer;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Compresses, seals and sends the chunks of each group that the agent doesn't have. May run on several threads at once. */
final class ForwardStage implements Stage {

    /** Little of a group is new if no more than one chunk in so many is. */
    private static final int LITTLE = 4;

    private final AgentClient agent;
    private final RepositoryKey key;
    private final Pipe<ChunkGroup> groups;
    private final AtomicLong newChunks = new AtomicLong();
    private final AtomicLong newBytes = new AtomicLong();
    private final AtomicLong storedBytes = new AtomicLong();

    ForwardStage(AgentClient agent, RepositoryKey key, Pipe<ChunkGroup> groups) {
        this.agent = agent;
        this.key = key;
        this.groups = groups;
    }

    @Override
    public void run() throws IOException {
        try (ChunkSealer sealer = new ChunkSealer(key, new SecureRandom())) {
            for (Optional<ChunkGroup> group = groups.take(); group.isPresent(); group = groups.take()) {
                forwardOrFail(group.get(), sealer);
            }
        }
    }

    /** Whoever waits for the group must learn of a failure, too. */
    private void forwardOrFail(ChunkGroup group, ChunkSealer sealer) throws IOException {
        try {
            forward(group, sealer);
        } catch (IOException | RuntimeException | Error e) {
            group.forwarded().completeExceptionally(e);
            throw e;
        }
    }

    private void forward(ChunkGroup group, ChunkSealer sealer) throws IOException {
        BitSet found = Answers.await(group.found());
        ChunkSealer.Effort effort = effort(group.candidates().size(), found.cardinality());
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int i = found.nextClearBit(0); i < group.candidates().size(); i = found.nextClearBit(i + 1)) {
            ChunkGroup.Candidate candidate = group.candidates().get(i);
            StoredChunk sealed = sealer.seal(candidate.ref(), candidate.plain().get(), effort);
            puts.add(agent.put(sealed));
            newChunks.incrementAndGet();
            newBytes.addAndGet(candidate.ref().length());
            storedBytes.addAndGet(sealed.stored().length());
        }
        group.dropData();
        var unused = CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new))
                .whenComplete((done, error) -> {
                    if (error == null) {
                        group.forwarded().complete(null);
                    } else {
                        group.forwarded().completeExceptionally(error);
                    }
                });
    }

    private ChunkSealer.Effort effort(int asked, int known) {
        if (groups.isEmpty()) {
            return ChunkSealer.Effort.THOROUGH;
        }
        boolean littleIsNew = (asked - known) * LITTLE <= asked;
        return littleIsNew ? ChunkSealer.Effort.STEADY : ChunkSealer.Effort.QUICK;
    }

    /** Chunks that the agent didn't have. */
    long newChunks() {
        return newChunks.get();
    }

    /** Their length before compression. */
    long newBytes() {
        return newBytes.get();
    }

    /** Their length as sent: compressed and sealed. */
    long storedBytes() {
        return storedBytes.get();
    }
}
