// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.server.cache.CacheWriter;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Seals and sends the pointers, and keeps them in the cache, in the order of the image, a page at a time, once the agent has the page's chunks. One thread. */
final class RecordStage implements Stage, AutoCloseable {

    private static final int MAX_UNANSWERED = 16;

    private final AgentClient agent;
    private final Pipe<ChunkGroup> groups;
    private final SnapshotSealer sealer;
    private final ContentDigest digest;
    private final Optional<CacheWriter> cache;
    private final List<Pointer> page = new ArrayList<>();
    /** More than the look-up knows to have been asked about: it asks again before one is forgotten here. */
    private final Map<Fingerprint, List<Pointer>> resolved = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, List<Pointer>> eldest) {
            return size() > 2 * LookupStage.REMEMBERED;
        }
    };

    private final Queue<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private long imageBytes;
    private long chunkCount;

    /** @param cache of this snapshot, if there is to be one; closed by this one */
    RecordStage(AgentClient agent, Pipe<ChunkGroup> groups, SnapshotSealer sealer, Optional<CacheWriter> cache) {
        this.agent = agent;
        this.groups = groups;
        this.sealer = sealer;
        this.cache = cache;
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
        group.resolved().forEach((identity, pointers) -> {
            resolved.remove(identity);
            resolved.put(identity, pointers);
        });
        for (ChunkGroup.Entry entry : group.entries()) {
            List<Pointer> pointers = resolved.getOrDefault(entry.ref().fingerprint(), entry.pointers());
            for (Pointer pointer : pointers) {
                record(pointer);
            }
            if (cache.isPresent() && entry.pieces().isPresent()) {
                cache.get()
                        .add(new CachedChunk(
                                entry.ref(), pointers, entry.pieces().get()));
            }
        }
    }

    private void record(Pointer pointer) throws IOException {
        page.add(pointer);
        imageBytes += pointer.length();
        chunkCount++;
        if (page.size() == WireFormat.PAGE_POINTERS) {
            sendPage();
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

    /** Number of its pointers; to be asked after {@link #run}. */
    long chunkCount() {
        return chunkCount;
    }

    /** Digest of its pages; to be asked once, after {@link #run}. */
    Fingerprint contentDigest() {
        return digest.finish();
    }

    /** This is the snapshot. */
    void publish(SnapshotInfo snapshot) {
        cache.ifPresent(written -> written.publish(snapshot));
    }

    /** Leaves nothing of a cache that was not published. */
    @Override
    public void close() {
        cache.ifPresent(CacheWriter::close);
    }
}
