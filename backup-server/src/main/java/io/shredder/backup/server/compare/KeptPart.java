// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.engine.TagList;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of the new image that the old one has at the same place, in a chunk that is not unchanged.
 *
 * @param offset in the image
 * @param chunk of the old image
 * @param from where in that chunk they begin
 * @param length how many, at least 1
 */
public record KeptPart(long offset, CachedChunk chunk, int from, int length) {

    /** Where they are kept. */
    public List<Pointer> pointers() {
        return chunk.part(from, length);
    }

    long end() {
        return offset + length;
    }

    /**
     * What of these parts a chunk of the new image really has. They follow from a read of the image, and the chunk's
     * bytes from another one: somebody may have written it in between. Whole pieces are told by their tags; the rest
     * counts as new.
     *
     * @param begin where the chunk begins in the image
     * @param bytes its length
     * @param pieces of just the bytes that it is made of
     */
    public static List<KeptPart> confirmed(List<KeptPart> parts, long begin, int bytes, Pieces pieces) {
        List<KeptPart> confirmed = new ArrayList<>();
        for (KeptPart part : parts) {
            long from = part.end();
            for (int i = 0; i < pieces.tags().count(); i++) {
                long at = begin + Pieces.start(i, bytes, pieces.first());
                long end = begin + Pieces.start(i + 1, bytes, pieces.first());
                if (part.has(at, end, pieces.tags(), i)) {
                    from = Math.min(from, at);
                } else {
                    part.addTo(confirmed, from, at);
                    from = part.end();
                }
            }
            part.addTo(confirmed, from, begin + bytes);
        }
        return confirmed;
    }

    /** Whether these bytes are a piece of the old chunk, too, and have this tag there. */
    private boolean has(long begin, long end, TagList tags, int number) {
        if (begin < offset || end > end()) {
            return false;
        }
        Pieces before = chunk.pieces();
        int at = (int) (begin - offset) + from;
        int piece = at < before.first() ? 0 : 1 + (at - before.first()) / Pieces.BYTES;
        return Pieces.start(piece, chunk.length(), before.first()) == at
                && Pieces.start(piece + 1, chunk.length(), before.first()) == at + (end - begin)
                && tags.matches(number, before.tags(), piece, 1);
    }

    private void addTo(List<KeptPart> parts, long begin, long end) {
        long last = Math.min(end, end());
        if (begin < last) {
            parts.add(within(begin, last));
        }
    }

    /** What of it lies between two places, of which some does. */
    KeptPart within(long begin, long end) {
        long first = Math.max(begin, offset);
        return new KeptPart(first, chunk, from + (int) (first - offset), (int) (Math.min(end, end()) - first));
    }
}
