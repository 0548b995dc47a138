// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.server.cache.CacheWriter;
import io.shredder.backup.server.compare.ChunkConsumer;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ChunkTag;
import io.shredder.engine.KeyedTags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Gives every chunk of an image to the look-up and, with its tag, to the cache for the next backup. Runs on the thread that chunks. */
final class ChunkHandOver implements ChunkConsumer, AutoCloseable {

    /** The cache that is being written, and what tags its chunks. */
    record Remembering(CacheWriter cache, KeyedTags tags) {}

    private final LookupStage lookup;
    private final Optional<Remembering> remembering;
    private final AtomicLong readBytes;
    private Optional<Fingerprint> lastTagged = Optional.empty();
    private ChunkTag lastTag = new ChunkTag(0, 0);

    /** @param readBytes counts */
    ChunkHandOver(LookupStage lookup, Optional<Remembering> remembering, AtomicLong readBytes) {
        this.lookup = lookup;
        this.remembering = remembering;
        this.readBytes = readBytes;
    }

    @Override
    public void accept(Fingerprint sha256, ByteBuffer data) throws IOException {
        readBytes.addAndGet(data.remaining());
        if (remembering.isPresent()) {
            ChunkTag tag = tag(remembering.get().tags(), sha256, data);
            remembering.get().cache().add(lookup.accept(sha256, data), tag);
        } else {
            lookup.accept(sha256, data);
        }
    }

    /** Chunks that are left out of long runs of zeros come again and again. */
    private ChunkTag tag(KeyedTags tags, Fingerprint sha256, ByteBuffer data) throws IOException {
        if (lastTagged.isEmpty() || !lastTagged.get().equals(sha256)) {
            lastTag = tags.of(data, new int[] {data.remaining()}).get(0);
            lastTagged = Optional.of(sha256);
        }
        return lastTag;
    }

    @Override
    public void unchanged(ChunkRef chunk, ChunkTag tag) throws IOException {
        readBytes.addAndGet(chunk.length());
        lookup.acceptExpected(chunk);
        remembering.ifPresent(into -> into.cache().add(chunk, tag));
    }

    /** This is the snapshot. */
    void publish(SnapshotInfo snapshot) {
        remembering.ifPresent(into -> into.cache().publish(snapshot));
    }

    /** Leaves nothing of a cache that was not published. */
    @Override
    public void close() {
        remembering.ifPresent(into -> into.cache().close());
    }
}
