// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.cache.Pieces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chunks of a page of the new list that may be a page of the last snapshot's: {@link EndedPages}. One thread. */
final class HeldPage {

    private final List<SharedPart.Chunks> chunks = new ArrayList<>();
    private long bytes;

    void add(ChunkRef ref, List<Pointer> pointers, Optional<Pieces> pieces) {
        int end = chunks.size() - 1;
        SharedPart.Chunks before = end < 0 ? null : chunks.get(end);
        if (before != null
                && before.ref().equals(ref)
                && before.pointers().equals(pointers)
                && before.pieces().equals(pieces)
                && before.count() < Integer.MAX_VALUE) {
            chunks.set(end, new SharedPart.Chunks(ref, pointers, before.pieces(), before.count() + 1));
        } else {
            chunks.add(new SharedPart.Chunks(ref, pointers, pieces, 1));
        }
        bytes += ref.length();
    }

    /** How much of the image is held. */
    long bytes() {
        return bytes;
    }

    /** What is held; nothing is afterwards. */
    List<SharedPart.Chunks> take() {
        List<SharedPart.Chunks> taken = List.copyOf(chunks);
        chunks.clear();
        bytes = 0;
        return taken;
    }
}
