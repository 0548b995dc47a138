// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Computes the shards of one code. Every implementation computes the same bytes. Any number of threads
 * may use one coder at once.
 *
 * <p>A shard is the bytes of a buffer from its position to its limit; all shards of a call have the same length,
 * any, also none. Buffers may lie anywhere and be direct or not; direct ones are not copied. No call moves a
 * position. Outputs may not overlap anything else. A decoder can't tell whether what is there is sound: prove that
 * before, or what comes out after.
 */
public sealed interface ErasureCoder extends AutoCloseable permits NativeErasureCoder, ReferenceErasureCoder {

    /**
     * A coder that computes on its caller's thread: the native library's, or where that can't be loaded, Java's.
     *
     * @throws io.shredder.engine.BackendUnavailableException if {@code SHREDDER_CODER_BACKEND} names a backend
     *     that this CPU can't run
     * @throws io.shredder.engine.InvalidOptionException if it names one that does not exist
     */
    static ErasureCoder create(ErasureCode code) throws ShredderException {
        return create(code, 1);
    }

    /**
     * The same on more threads, which are the coder's own; Java's has no threads.
     *
     * @param threads 1 to 1024
     */
    static ErasureCoder create(ErasureCode code, int threads) throws ShredderException {
        return NativeLibrary.failure() == null
                ? new NativeErasureCoder(code, threads)
                : new ReferenceErasureCoder(code);
    }

    /**
     * A coder that computes on a GPU. No other coder does, whatever the machine has. If the GPU fails, one line on
     * standard error says so; the CPU finishes the call and does those that follow.
     *
     * @param threads the CPU's, 1 to 1024, for when the GPU has failed
     * @param gpu its number, or -1 for all GPUs, which share the bytes of each call
     * @throws io.shredder.engine.BackendUnavailableException if it is not there
     */
    static ErasureCoder createOnGpu(ErasureCode code, int threads, int gpu) throws ShredderException {
        return NativeErasureCoder.onGpus(code, threads, gpu);
    }

    /** What it codes. */
    ErasureCode code();

    /** What computes: {@code java}, {@code cuda}, or the native form's instructions, such as {@code avx512-gfni}. */
    String form();

    /**
     * Computes the parity shards.
     *
     * @param data a buffer for each data shard, which is not changed
     * @param parity a buffer for each parity shard
     * @throws IllegalArgumentException if there are more or fewer buffers, if they have different lengths, or if
     *     an output is read-only
     */
    void encode(ByteBuffer[] data, ByteBuffer[] parity) throws ShredderException;

    /**
     * Computes lost shards from the first ones that are there, as many as there are data shards.
     *
     * @param shards a buffer for each shard, null where it is not there; not changed
     * @param wanted numbers of shards that are not there, each once, in any order
     * @param outputs a buffer for each wanted shard
     * @throws IllegalArgumentException if fewer shards are there than are needed, if a wanted one is there, or as
     *     in {@link #encode}
     */
    void decode(@Nullable ByteBuffer[] shards, int[] wanted, ByteBuffer[] outputs) throws ShredderException;

    /** Frees what it holds, once no call is under way; later calls throw {@link IllegalStateException}. */
    @Override
    void close();
}
