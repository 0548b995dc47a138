// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import java.util.List;
import java.util.function.Function;

/**
 * The chunks that one map task computes, and the memo file that it leaves them in.
 *
 * @param memoFile name of the memo file; entry {@code i} of it is chunk {@code i}
 * @param chunks in the input's order
 * @param hosts that hold most bytes of the chunks, the best first
 * @param kept for each chunk entries that earlier runs have left, of which the first that stands on the task's node is
 *     used
 */
public record ChunkGroup(String memoFile, List<InputChunk> chunks, List<String> hosts, List<List<MemoRef>> kept) {

    public ChunkGroup {
        chunks = List.copyOf(chunks);
        hosts = List.copyOf(hosts);
        kept = List.copyOf(kept);
    }

    /** A group of which nothing is kept. */
    public ChunkGroup(String memoFile, List<InputChunk> chunks, List<String> hosts) {
        this(
                memoFile,
                chunks,
                hosts,
                chunks.stream().map(chunk -> List.<MemoRef>of()).toList());
    }

    /** The same chunks, with what is kept of each. */
    ChunkGroup with(Function<InputChunk, List<MemoRef>> keptOf) {
        return new ChunkGroup(
                memoFile, chunks, hosts, chunks.stream().map(keptOf).toList());
    }

    /** Bytes of input. */
    public long bytes() {
        return chunks.stream().mapToLong(InputChunk::length).sum();
    }
}
