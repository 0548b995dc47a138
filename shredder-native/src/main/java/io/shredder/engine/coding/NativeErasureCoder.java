// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import io.shredder.engine.NativeHandle;
import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The engine's coder. Direct buffers are coded where they are; others go through a {@link CodingStage}. */
final class NativeErasureCoder implements ErasureCoder {

    private final ErasureCode code;
    private final NativeHandle handle;
    private final String form;

    /** Those that no call uses. */
    private final Queue<CodingStage> stages = new ConcurrentLinkedQueue<>();

    /** Where GPUs are meant, all of them. */
    static final int ALL_GPUS = -1;

    /** Computes on the CPU. */
    NativeErasureCoder(ErasureCode code, int threads) throws ShredderException {
        this(code, threads, false, ALL_GPUS);
    }

    /** Computes on a GPU by its number, or on {@link #ALL_GPUS}; the CPU takes over from those that fail. */
    static NativeErasureCoder onGpus(ErasureCode code, int threads, int gpu) throws ShredderException {
        return new NativeErasureCoder(code, threads, true, gpu);
    }

    private NativeErasureCoder(ErasureCode code, int threads, boolean onGpus, int gpu) throws ShredderException {
        if (threads < 1) {
            throw new IllegalArgumentException("a coder of " + threads + " threads");
        }
        NativeLibrary.require();
        this.code = code;
        long coder = CodingJni.open(code.kind().code(), code.data(), code.parity(), threads, onGpus, gpu);
        this.handle = new NativeHandle("erasure coder", coder);
        this.form = CodingJni.form(coder);
    }

    /** A native call on direct buffers, a part of each. */
    @FunctionalInterface
    private interface DirectCall {
        void code(@Nullable ByteBuffer[] inputs, int[] inputsAt, ByteBuffer[] outputs, int[] outputsAt, int bytes)
                throws ShredderException;
    }

    @Override
    public ErasureCode code() {
        return code;
    }

    @Override
    public String form() {
        return form;
    }

    @Override
    public void encode(ByteBuffer[] callersData, ByteBuffer[] callersParity) throws ShredderException {
        ByteBuffer[] data = own(callersData);
        ByteBuffer[] parity = own(callersParity);
        int bytes = ShardChecks.encoding(code, data, parity);
        long coder = handle.enter();
        try {
            code(
                    data,
                    parity,
                    bytes,
                    (inputs, inputsAt, outputs, outputsAt, part) ->
                            CodingJni.encode(coder, inputs, inputsAt, outputs, outputsAt, part));
        } finally {
            handle.leave();
        }
    }

    @Override
    public void decode(@Nullable ByteBuffer[] callersShards, int[] callersWanted, ByteBuffer[] callersOutputs)
            throws ShredderException {
        @Nullable ByteBuffer[] shards = own(callersShards);
        int[] wanted = callersWanted.clone();
        ByteBuffer[] outputs = own(callersOutputs);
        int bytes = ShardChecks.decoding(code, shards, wanted, outputs);
        @Nullable ByteBuffer[] sources = new ByteBuffer[shards.length];
        for (int source : ShardChecks.sources(code, shards)) {
            sources[source] = shards[source];
        }
        long coder = handle.enter();
        try {
            code(
                    sources,
                    outputs,
                    bytes,
                    (inputs, inputsAt, targets, targetsAt, part) ->
                            CodingJni.decode(coder, inputs, inputsAt, wanted, targets, targetsAt, part));
        } finally {
            handle.leave();
        }
    }

    private void code(@Nullable ByteBuffer[] inputs, ByteBuffer[] outputs, int bytes, DirectCall call)
            throws ShredderException {
        if (bytes == 0 || outputs.length == 0) {
            return;
        }
        if (areDirect(inputs) && areDirect(outputs)) {
            call.code(inputs, positions(inputs, 0), outputs, positions(outputs, 0), bytes);
            return;
        }
        CodingStage stage = stages.poll();
        if (stage == null) {
            stage = new CodingStage(code);
        }
        codeThrough(stage, inputs, outputs, bytes, call);
        stages.add(stage);
    }

    private void codeThrough(
            CodingStage stage, @Nullable ByteBuffer[] inputs, ByteBuffer[] outputs, int bytes, DirectCall call)
            throws ShredderException {
        @Nullable ByteBuffer[] directInputs = inputs.clone();
        ByteBuffer[] directOutputs = outputs.clone();
        Stretches.forEach(bytes, CodingStage.tileBytes(code), (at, part) -> {
            int[] inputsAt = positions(inputs, at);
            int[] outputsAt = positions(outputs, at);
            int tile = 0;
            for (int i = 0; i < inputs.length; i++) {
                ByteBuffer input = inputs[i];
                if (input != null && !input.isDirect()) {
                    directInputs[i] = stage.tile(tile++).put(0, input, inputsAt[i], part);
                    inputsAt[i] = 0;
                }
            }
            for (int i = 0; i < outputs.length; i++) {
                if (!outputs[i].isDirect()) {
                    directOutputs[i] = stage.tile(tile++);
                    outputsAt[i] = 0;
                }
            }
            call.code(directInputs, inputsAt, directOutputs, outputsAt, part);
            for (int i = 0; i < outputs.length; i++) {
                if (!outputs[i].isDirect()) {
                    outputs[i].put(outputs[i].position() + at, directOutputs[i], 0, part);
                }
            }
        });
    }

    /** The same memory with positions that nobody moves: what was checked is what is used. */
    private static @Nullable ByteBuffer[] own(@Nullable ByteBuffer[] buffers) {
        @Nullable ByteBuffer[] own = new ByteBuffer[buffers.length];
        for (int i = 0; i < own.length; i++) {
            ByteBuffer buffer = buffers[i];
            own[i] = buffer == null ? null : buffer.duplicate();
        }
        return own;
    }

    private static boolean areDirect(@Nullable ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer != null && !buffer.isDirect()) {
                return false;
            }
        }
        return true;
    }

    /** So many bytes behind each position. */
    private static int[] positions(@Nullable ByteBuffer[] buffers, int behind) {
        int[] positions = new int[buffers.length];
        for (int i = 0; i < positions.length; i++) {
            ByteBuffer buffer = buffers[i];
            positions[i] = buffer == null ? 0 : buffer.position() + behind;
        }
        return positions;
    }

    @Override
    public void close() {
        if (handle.beginClose()) {
            CodingJni.close(handle.awaitLastLeave());
        }
    }
}
