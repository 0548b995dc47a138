// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import io.shredder.engine.coding.ErasureCoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.io.erasurecode.ECChunk;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one of Hadoop's encoders or decoders, on the engine's coder: Hadoop moves the positions of inputs behind
 * what was read and leaves those of outputs, the engine moves none. A call that fails moves none either. Any number of
 * threads may call at once, with buffers of their own.
 */
final class CoderCalls {

    private static final byte[] ZEROS = new byte[8192];

    private final String name;
    private final ErasureCoder coder;
    private volatile boolean released;

    /** @param coder shared with others: not closed by {@link #release} */
    CoderCalls(String name, ErasureCoder coder) {
        this.name = name;
        this.coder = coder;
    }

    void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
        requireUse();
        requireAll("input", inputs);
        requireAll("output", outputs);
        coder.encode(inputs, outputs);
        passOver(inputs);
    }

    void encode(byte[][] inputs, byte[][] outputs) throws IOException {
        encode(wrapped(inputs), wrapped(outputs));
    }

    /** @param inputs null where a unit is erased, or not read */
    void decode(@Nullable ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs) throws IOException {
        requireUse();
        requireAll("output", outputs);
        coder.decode(inputs, erased, outputs);
        passOver(inputs);
    }

    void decode(byte[] @Nullable [] inputs, int[] erased, byte[][] outputs) throws IOException {
        decode(wrapped(inputs), erased, wrapped(outputs));
    }

    /** A chunk that is said to be all zero is one whose buffer holds anything. */
    void decode(@Nullable ECChunk[] inputs, int[] erased, ECChunk[] outputs) throws IOException {
        ByteBuffer[] buffers = new ByteBuffer[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            ECChunk chunk = inputs[i];
            if (chunk != null) {
                buffers[i] = chunk.getBuffer();
                if (chunk.isAllZero()) {
                    putZeros(buffers[i]);
                }
            }
        }
        decode(buffers, erased, ECChunk.toBuffers(outputs));
    }

    private static void putZeros(ByteBuffer buffer) {
        ByteBuffer rest = buffer.duplicate();
        while (rest.hasRemaining()) {
            rest.put(ZEROS, 0, Math.min(ZEROS.length, rest.remaining()));
        }
    }

    private static ByteBuffer[] wrapped(byte[] @Nullable [] arrays) {
        ByteBuffer[] buffers = new ByteBuffer[arrays.length];
        for (int i = 0; i < arrays.length; i++) {
            buffers[i] = arrays[i] == null ? null : ByteBuffer.wrap(arrays[i]);
        }
        return buffers;
    }

    private static void requireAll(String what, @Nullable ByteBuffer[] buffers) {
        for (int i = 0; i < buffers.length; i++) {
            if (buffers[i] == null) {
                throw new HadoopIllegalArgumentException(what + " " + i + " of " + buffers.length + " is null");
            }
        }
    }

    private static void passOver(@Nullable ByteBuffer[] inputs) {
        for (ByteBuffer input : inputs) {
            if (input != null) {
                input.position(input.limit());
            }
        }
    }

    private void requireUse() throws IOException {
        if (released) {
            throw new IOException(name + " was released: it codes nothing any more");
        }
    }

    /** Refuses later calls; those under way end as they would. */
    void release() {
        released = true;
    }

    @Override
    public String toString() {
        return name + " (" + coder.form() + ")";
    }
}
