// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.cache.Pieces;
import java.util.List;
import java.util.Optional;

/**
 * A stretch of the image whose pages the last snapshot has, so that nothing of it is looked up or sent.
 *
 * @param pages their numbers there, in order
 * @param chunks what is on them
 */
record SharedPart(List<Integer> pages, List<Chunks> chunks) implements ListPart {

    /**
     * The same chunk so many times in a row.
     *
     * @param ref length and identity
     * @param pointers to its bytes
     * @param pieces for the cache, if there is one
     * @param count how many times
     */
    record Chunks(ChunkRef ref, List<Pointer> pointers, Optional<Pieces> pieces, int count) {

        long bytes() {
            return (long) ref.length() * count;
        }
    }
}
