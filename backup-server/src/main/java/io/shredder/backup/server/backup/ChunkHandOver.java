// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.ChunkTagging;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.compare.ChunkConsumer;
import io.shredder.backup.server.compare.KeptPart;
import io.shredder.backup.server.source.CutChunk;
import io.shredder.backup.server.stage.SharedWork;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.ShredderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives every chunk of an image to the look-up, with its identity and the tags of its pieces for the next backup's
 * cache. What touches the bytes of many chunks is done by several threads; the rest runs on the thread that chunks.
 */
final class ChunkHandOver implements ChunkConsumer {

    /** Of so many bytes one thread tags the chunks before it takes others. */
    private static final int PART_BYTES = 256 << 10;

    private final LookupStage lookup;
    private final Optional<KeyedTags> tags;
    private final SharedWork work;
    private final AtomicLong readBytes;

    /** One for each worker. */
    private final List<ChunkIdentity> identities = new ArrayList<>();

    private Optional<Prepared> last = Optional.empty();
    private long offset;

    /** What is to be known of a chunk, and of equal ones right behind it. */
    private record Prepared(Fingerprint digest, Fingerprint identity, Optional<Pieces> pieces) {}

    /**
     * With nothing handed over yet.
     *
     * @param cached whether there is to be a cache
     * @param work stays the caller's
     * @param readBytes counts
     */
    ChunkHandOver(
            LookupStage lookup,
            RepositoryKey key,
            DigestAlgorithm algorithm,
            boolean cached,
            SharedWork work,
            AtomicLong readBytes)
            throws ShredderException {
        this.lookup = lookup;
        this.tags = cached ? Optional.of(ChunkTagging.under(key)) : Optional.empty();
        this.work = work;
        this.readBytes = readBytes;
        for (int i = 0; i < work.workers(); i++) {
            identities.add(new ChunkIdentity(key, algorithm));
        }
    }

    /**
     * Equal chunks behind each other have the identity and the pieces of the first, so that a terabyte of zeros is
     * tagged, and noted, once.
     */
    @Override
    public void accept(List<CutChunk> chunks) throws IOException {
        List<Integer> parts = parts(chunks);
        long[] offsets = offsets(chunks);
        Prepared[] prepared = new Prepared[chunks.size()];
        boolean beginsAsLast = isLast(chunks.get(0).digest());
        work.inOrder(
                parts.size() - 1,
                (worker, part) -> {
                    for (int i = parts.get(part); i < parts.get(part + 1); i++) {
                        CutChunk chunk = chunks.get(i);
                        boolean repeated = i == 0
                                ? beginsAsLast
                                : chunk.digest().equals(chunks.get(i - 1).digest());
                        if (!repeated) {
                            prepared[i] = prepared(worker, chunk.digest(), chunk.data(), offsets[i]);
                        }
                    }
                },
                part -> {
                    for (int i = parts.get(part); i < parts.get(part + 1); i++) {
                        handOver(prepared[i] != null ? prepared[i] : last.orElseThrow(), chunks.get(i));
                    }
                });
        lookup.copyData();
    }

    private void handOver(Prepared prepared, CutChunk chunk) throws IOException {
        for (long copies = chunk.count(); copies > 0; copies--) {
            handOver(prepared, chunk.data(), List.of());
        }
    }

    @Override
    public void changed(Fingerprint digest, ByteBuffer data, List<KeptPart> kept, Optional<Pieces> pieces)
            throws IOException {
        Prepared chunk;
        if (isLast(digest)) {
            chunk = last.orElseThrow();
        } else if (tags.isPresent() && pieces.isPresent()) {
            chunk = new Prepared(digest, identities.get(0).of(digest), pieces);
        } else {
            chunk = prepared(0, digest, data, offset);
        }
        handOver(chunk, data, kept);
        lookup.copyData();
    }

    /** Where each begins in the image. */
    private long[] offsets(List<CutChunk> chunks) {
        long[] offsets = new long[chunks.size()];
        long at = offset;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = at;
            at += chunks.get(i).bytes();
        }
        return offsets;
    }

    /** Where parts of the chunks begin, and where the last ends. */
    private static List<Integer> parts(List<CutChunk> chunks) {
        List<Integer> begins = new ArrayList<>(List.of(0));
        int bytes = 0;
        for (int i = 0; i < chunks.size(); i++) {
            bytes += chunks.get(i).length();
            if (bytes >= PART_BYTES || i + 1 == chunks.size()) {
                begins.add(i + 1);
                bytes = 0;
            }
        }
        return begins;
    }

    private boolean isLast(Fingerprint digest) {
        return last.isPresent() && last.get().digest().equals(digest);
    }

    private Prepared prepared(int worker, Fingerprint digest, ByteBuffer data, long at) throws IOException {
        Optional<Pieces> pieces = Optional.empty();
        if (tags.isPresent()) {
            int first = Pieces.firstAt(at);
            pieces = Optional.of(new Pieces(first, tags.get().of(data, Pieces.lengths(data.remaining(), first))));
        }
        return new Prepared(digest, identities.get(worker).of(digest), pieces);
    }

    private void handOver(Prepared chunk, ByteBuffer data, List<KeptPart> kept) throws IOException {
        List<KeptPart> sure = kept.isEmpty() ? kept : sure(kept, data.remaining(), chunk.pieces());
        count(data.remaining());
        last = Optional.of(chunk);
        lookup.accept(chunk.identity(), data, sure, chunk.pieces());
    }

    /** Nothing is kept by what was read before and may have been written since. */
    private List<KeptPart> sure(List<KeptPart> kept, int bytes, Optional<Pieces> pieces) {
        return pieces.filter(known -> known.first() == Pieces.firstAt(offset))
                .map(known -> KeptPart.confirmed(kept, offset, bytes, known))
                .orElse(List.of());
    }

    @Override
    public void unchanged(CachedChunk chunk) throws IOException {
        count(chunk.length());
        lookup.acceptExpected(chunk, tags.isPresent() ? Optional.of(chunk.pieces()) : Optional.empty());
        last = Optional.empty();
    }

    private void count(int bytes) {
        offset += bytes;
        readBytes.addAndGet(bytes);
    }
}
