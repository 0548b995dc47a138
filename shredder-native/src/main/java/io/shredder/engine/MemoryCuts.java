// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.ChunkingParams;
import java.nio.ByteBuffer;

/**
 * Cuts short stretches of an image that are in memory, on the caller's thread and on the CPU, exactly as a stream of an
 * engine would: for whoever knows a cut close before what changed. Immutable, thread-safe.
 */
public final class MemoryCuts {

    private final byte[] paramBlock;

    /**
     * For these parameters.
     *
     * @throws IllegalArgumentException unless {@link #serve} them
     * @throws BackendUnavailableException if the native library is not there
     */
    public MemoryCuts(ChunkingParams params) throws BackendUnavailableException {
        if (!serve(params)) {
            throw new IllegalArgumentException("cuts depend on bytes before the last cut with " + params);
        }
        NativeLibrary.require();
        ByteBuffer block = ByteBuffer.allocate(ChunkingParams.ENCODED_BYTES);
        params.write(block);
        this.paramBlock = block.array();
    }

    /**
     * Whether a cut depends on nothing before the cut before it ({@code docs/formats/chunking.md}, section 3): if
     * chunks are at least as long as the window, and there are no segments.
     */
    public static boolean serve(ChunkingParams params) {
        return params.minBytes() >= ChunkingParams.WINDOW_BYTES && !params.hasSegments();
    }

    /**
     * The lengths of the chunks that end in the buffer; at least one if it has more bytes than the longest chunk.
     *
     * @param data direct; its position, which does not change, comes right behind a cut
     * @param last whether the image ends at the buffer's limit; else a chunk that may go on behind it is left out
     */
    public int[] lengths(ByteBuffer data, boolean last) throws ShredderException {
        DirectBuffers.requireDirect(data);
        return ShredderJni.cutMemory(paramBlock, data, data.position(), data.remaining(), last);
    }
}
