// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.compare.ChunkConsumer;
import io.shredder.backup.server.compare.KeptPart;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.KeyedTags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Gives every chunk of an image to the look-up, with the tags of its pieces for the next backup's cache. Runs on the thread that chunks. */
final class ChunkHandOver implements ChunkConsumer {

    private final LookupStage lookup;
    private final Optional<KeyedTags> tags;
    private final AtomicLong readBytes;
    private Optional<Fingerprint> lastTagged = Optional.empty();
    private Optional<Pieces> lastPieces = Optional.empty();
    private long offset;

    /**
     * With nothing handed over yet.
     *
     * @param tags if there is to be a cache
     * @param readBytes counts
     */
    ChunkHandOver(LookupStage lookup, Optional<KeyedTags> tags, AtomicLong readBytes) {
        this.lookup = lookup;
        this.tags = tags;
        this.readBytes = readBytes;
    }

    @Override
    public void accept(Fingerprint digest, ByteBuffer data) throws IOException {
        changed(digest, data, List.of());
    }

    @Override
    public void changed(Fingerprint digest, ByteBuffer data, List<KeptPart> kept) throws IOException {
        Optional<Pieces> pieces = tags.isPresent() ? pieces(tags.get(), digest, data) : Optional.empty();
        count(data.remaining());
        lookup.accept(digest, data, kept, pieces);
    }

    /** Equal chunks behind each other have the pieces of the first, so that a terabyte of zeros is tagged, and noted, once. */
    private Optional<Pieces> pieces(KeyedTags with, Fingerprint digest, ByteBuffer data) throws IOException {
        if (lastTagged.isEmpty() || !lastTagged.get().equals(digest)) {
            int first = Pieces.firstAt(offset);
            lastPieces = Optional.of(new Pieces(first, with.of(data, Pieces.lengths(data.remaining(), first))));
            lastTagged = Optional.of(digest);
        }
        return lastPieces;
    }

    @Override
    public void unchanged(CachedChunk chunk) throws IOException {
        count(chunk.length());
        lookup.acceptExpected(chunk, tags.isPresent() ? Optional.of(chunk.pieces()) : Optional.empty());
        lastTagged = Optional.empty();
    }

    private void count(int bytes) {
        offset += bytes;
        readBytes.addAndGet(bytes);
    }
}
