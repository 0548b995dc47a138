// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.compare.KeptPart;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A new chunk of which little is new: pointers to what the agent has of it, in chunks of the last snapshot, and a chunk
 * of all the rest, its <em>remainder</em>: {@code docs/formats/cache.md}, section 4.
 *
 * @param pointers to all its bytes, in order
 * @param kept the chunks of others that it needs
 * @param remainder what is to be stored, and its length and identity; empty if all is kept
 */
record ReducedChunk(List<Pointer> pointers, Set<Fingerprint> kept, Optional<Remainder> remainder) {

    /** Bytes of a chunk that no other has. */
    record Remainder(ChunkRef ref, ByteBuffer plain) {}

    /** A pointer costs about fifty bytes in the list, a page of zeros next to nothing. */
    private static final int LEAST_KEPT_BYTES = 1024;

    private static final int MOST_PARTS = 64;

    /** At least one byte in so many is kept, or it is not worth the pointers and the time to put it together again. */
    private static final int LEAST_KEPT_SHARE = 16;

    /** So that a list's chunks, a few of them counted on two pages, are not longer than an agent takes. */
    private static final int MOST_POINTED = ListPage.MOST_POINTED - 1;

    /**
     * Whether and how a chunk is reduced.
     *
     * @param plain its bytes
     * @param offset of the chunk in the image
     * @param kept parts of it that the last snapshot has, ascending
     */
    static Optional<ReducedChunk> of(ByteBuffer plain, long offset, List<KeptPart> kept, ChunkIdentity identities)
            throws IOException {
        List<KeptPart> worth =
                kept.stream().filter(part -> part.length() >= LEAST_KEPT_BYTES).toList();
        long keptBytes = worth.stream().mapToLong(KeptPart::length).sum();
        int length = plain.remaining();
        if (worth.size() > MOST_PARTS || keptBytes < Math.max(LEAST_KEPT_BYTES, length / LEAST_KEPT_SHARE)) {
            return Optional.empty();
        }
        Optional<Remainder> remainder = remainder(plain, offset, worth, (int) (length - keptBytes), identities);
        List<Pointer> pointers = pointers(offset, length, worth, remainder);
        Set<Fingerprint> needed = new LinkedHashSet<>();
        worth.forEach(part -> part.pointers().forEach(pointer -> needed.add(pointer.fingerprint())));
        return pointers.size() <= 2 * MOST_PARTS && pointedBytes(pointers) <= (long) MOST_POINTED * length
                ? Optional.of(new ReducedChunk(pointers, needed, remainder))
                : Optional.empty();
    }

    private static Optional<Remainder> remainder(
            ByteBuffer plain, long offset, List<KeptPart> kept, int bytes, ChunkIdentity identities)
            throws IOException {
        if (bytes == 0) {
            return Optional.empty();
        }
        ByteBuffer rest = ByteBuffer.allocate(bytes);
        int at = 0;
        for (KeptPart part : kept) {
            int begin = (int) (part.offset() - offset);
            rest.put(plain.slice(plain.position() + at, begin - at));
            at = begin + part.length();
        }
        rest.put(plain.slice(plain.position() + at, plain.remaining() - at)).flip();
        return Optional.of(new Remainder(new ChunkRef(bytes, identities.ofData(rest)), rest));
    }

    private static List<Pointer> pointers(long offset, int length, List<KeptPart> kept, Optional<Remainder> remainder) {
        List<Pointer> pointers = new ArrayList<>();
        int at = 0;
        int used = 0;
        for (KeptPart part : kept) {
            int begin = (int) (part.offset() - offset);
            if (begin > at) {
                pointers.add(new Pointer(remainder.orElseThrow().ref(), used, begin - at));
                used += begin - at;
            }
            pointers.addAll(part.pointers());
            at = begin + part.length();
        }
        if (at < length) {
            pointers.add(new Pointer(remainder.orElseThrow().ref(), used, length - at));
        }
        return pointers;
    }

    private static long pointedBytes(List<Pointer> pointers) {
        return pointers.stream()
                .map(Pointer::chunk)
                .distinct()
                .mapToLong(ChunkRef::length)
                .sum();
    }
}
