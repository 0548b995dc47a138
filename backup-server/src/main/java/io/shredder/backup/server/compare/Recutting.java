// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.Pieces;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.MemoryCuts;
import io.shredder.engine.MemoryDigests;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Cuts, digests and tags what changed where it was compared, while it is in that core's cache, so that whoever walks
 * over the image need only take the result. Begins at each old cut in front of something that changed. Thread-safe.
 */
final class Recutting {

    /** Of longer chunks, memory for what is cut ahead would be too much. */
    private static final int LONGEST_CHUNK_BYTES = Segments.BYTES;

    private final ChunkingParams params;
    private final MemoryCuts cuts;
    private final KeyedTags tags;

    Recutting(ChunkingParams params, KeyedTags tags) throws ShredderException {
        this.params = params;
        this.cuts = new MemoryCuts(params);
        this.tags = tags;
    }

    /**
     * How many bytes behind a segment are wanted, so that a chunk that begins in it certainly ends; 0 if nothing is to
     * be cut ahead.
     */
    int bytesBehind() {
        return params.maxBytes() <= LONGEST_CHUNK_BYTES ? params.maxBytes() + 1 : 0;
    }

    /**
     * The chunks from a place on, up to where an old chunk is that is unchanged, or to the last that certainly ends.
     *
     * @param offset in the image
     * @param data from there on, as far as it is needed
     * @param last whether the image ends where the data does
     * @param unchanged whether an old chunk begins at an offset and is unchanged
     * @return empty if no chunk ends
     */
    Optional<Recut> from(long offset, ByteBuffer data, boolean last, LongPredicate unchanged) throws ShredderException {
        int[] lengths = wanted(cuts.lengths(data, last), offset, unchanged);
        if (lengths.length == 0) {
            return Optional.empty();
        }
        List<Fingerprint> digests = MemoryDigests.of(params.digest(), data, lengths);
        List<Recut.Chunk> chunks = new ArrayList<>();
        int at = data.position();
        for (int i = 0; i < lengths.length; i++) {
            ByteBuffer chunk = data.slice(at, lengths[i]);
            int first = Pieces.firstAt(offset + at - data.position());
            Pieces pieces = new Pieces(first, tags.of(chunk, Pieces.lengths(lengths[i], first)));
            chunks.add(new Recut.Chunk(digests.get(i), pieces, chunk.asReadOnlyBuffer()));
            at += lengths[i];
        }
        return Optional.of(new Recut(offset, chunks));
    }

    private static int[] wanted(int[] lengths, long offset, LongPredicate unchanged) {
        long at = offset;
        for (int i = 0; i < lengths.length; i++) {
            at += lengths[i];
            if (unchanged.test(at)) {
                return Arrays.copyOf(lengths, i + 1);
            }
        }
        return lengths;
    }
}
