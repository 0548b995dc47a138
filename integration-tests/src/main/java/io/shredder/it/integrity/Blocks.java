// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ChunkBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive blocks of a file.
 *
 * @param data their bytes from index 0 on, back to back; another's once the {@link Taker} has returned
 * @param lengths in bytes
 * @param digests of each; empty if nobody digests
 */
record Blocks(ByteBuffer data, List<Integer> lengths, List<Fingerprint> digests) {
    /** Takes a file's blocks in their order. */
    @FunctionalInterface
    interface Taker {
        void take(Blocks blocks) throws IOException;
    }

    Blocks {
        lengths = List.copyOf(lengths);
        digests = List.copyOf(digests);
    }

    /** As an engine hands them over. */
    static Blocks of(ChunkBatch batch) {
        List<Integer> lengths = new ArrayList<>(batch.count());
        List<Fingerprint> digests = new ArrayList<>(batch.count());
        for (int i = 0; i < batch.count(); i++) {
            lengths.add(batch.length(i));
            digests.add(batch.fingerprint(i));
        }
        return new Blocks(batch.data().slice(), lengths, digests);
    }
}
