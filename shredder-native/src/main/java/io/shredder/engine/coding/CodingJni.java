// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The natives of the coder, and nothing else: callers check counts, lengths and that buffers are direct. */
final class CodingJni {

    private CodingJni() {}

    /**
     * @param code a {@code shredder_code}
     * @param onGpus whether GPUs compute: the one with the number {@code gpu}, or all if that is -1
     */
    static native long open(int code, int data, int parity, int threads, boolean onGpus, int gpu)
            throws ShredderException;

    /** The name of the form that computes. */
    static native String form(long coder) throws ShredderException;

    /**
     * Shard i is the {@code bytes} bytes of its direct buffer from {@code dataAt[i]}, or {@code parityAt[i]}, on.
     *
     * @throws io.shredder.engine.InvalidOptionException if these don't lie within it
     */
    static native void encode(
            long coder, @Nullable ByteBuffer[] data, int[] dataAt, ByteBuffer[] parity, int[] parityAt, int bytes)
            throws ShredderException;

    /** The same; a shard that is not there is null. */
    static native void decode(
            long coder,
            @Nullable ByteBuffer[] shards,
            int[] shardsAt,
            int[] wanted,
            ByteBuffer[] outputs,
            int[] outputsAt,
            int bytes)
            throws ShredderException;

    static native void close(long coder);
}
