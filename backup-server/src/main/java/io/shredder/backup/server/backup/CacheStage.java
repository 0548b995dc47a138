// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.server.cache.CacheWriter;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.stage.Pipe;
import io.shredder.backup.server.stage.Stage;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Keeps the list's entries in the cache, in the image's order, beside the thread that makes the list. One thread. */
final class CacheStage implements Stage, AutoCloseable {

    private static final int PARTS_WAITING = 8;

    private final Pipe<List<SharedPart.Chunks>> parts = new Pipe<>(PARTS_WAITING);
    private final CacheWriter cache;

    /** @param cache of this snapshot; closed by this one */
    CacheStage(CacheWriter cache) {
        this.cache = cache;
    }

    /** Where it gets what is on the list; whoever makes the list closes it. */
    Pipe<List<SharedPart.Chunks>> parts() {
        return parts;
    }

    @Override
    public void run() throws IOException {
        for (Optional<List<SharedPart.Chunks>> part = parts.take(); part.isPresent(); part = parts.take()) {
            for (SharedPart.Chunks chunks : part.get()) {
                chunks.pieces()
                        .ifPresent(pieces ->
                                cache.add(new CachedChunk(chunks.ref(), chunks.pointers(), pieces), chunks.count()));
            }
        }
    }

    /** This is the snapshot; to be called after {@link #run}. */
    void publish(SnapshotInfo snapshot) {
        cache.publish(snapshot);
    }

    /** Leaves nothing of a cache that was not published. */
    @Override
    public void close() {
        cache.close();
    }
}
