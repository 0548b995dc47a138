// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import java.util.List;

/**
 * The chunks that one map task computes, and the memo file that it leaves them in.
 *
 * @param memoFile name of the memo file; entry {@code i} of it is chunk {@code i}
 * @param chunks in the input's order
 * @param hosts that hold most bytes of the chunks, the best first
 */
public record ChunkGroup(String memoFile, List<InputChunk> chunks, List<String> hosts) {

    public ChunkGroup {
        chunks = List.copyOf(chunks);
        hosts = List.copyOf(hosts);
    }

    /** Bytes of input. */
    public long bytes() {
        return chunks.stream().mapToLong(InputChunk::length).sum();
    }
}
