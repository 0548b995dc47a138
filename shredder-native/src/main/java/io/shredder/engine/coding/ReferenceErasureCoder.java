// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The readable reference in Java, for a machine without the native library; immutable. */
final class ReferenceErasureCoder implements ErasureCoder {

    /** Bytes that are computed before the next input is looked at. */
    private static final int STRETCH_BYTES = 8192;

    private final ErasureCode code;
    private final CodingMatrix generator;
    private final CodingMatrix parityRows;
    private volatile boolean closed;

    ReferenceErasureCoder(ErasureCode code) {
        this.code = code;
        this.generator = CodingMatrix.generator(code);
        this.parityRows = generator.rows(parityNumbers(code));
    }

    private static int[] parityNumbers(ErasureCode code) {
        int[] numbers = new int[code.parity()];
        Arrays.setAll(numbers, i -> code.data() + i);
        return numbers;
    }

    @Override
    public ErasureCode code() {
        return code;
    }

    @Override
    public String form() {
        return "java";
    }

    @Override
    public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
        requireOpen();
        combine(parityRows, data, parity, ShardChecks.encoding(code, data, parity));
    }

    /** By the inverse of the rows that made the sources. */
    @Override
    public void decode(@Nullable ByteBuffer[] shards, int[] wanted, ByteBuffer[] outputs) {
        requireOpen();
        int bytes = ShardChecks.decoding(code, shards, wanted, outputs);
        if (wanted.length == 0) {
            return;
        }
        int[] sources = ShardChecks.sources(code, shards);
        ByteBuffer[] inputs = new ByteBuffer[sources.length];
        Arrays.setAll(inputs, i -> ShardChecks.source(shards, sources[i]));
        CodingMatrix toData = generator.rows(sources).inverted();
        combine(generator.rows(wanted).times(toData), inputs, outputs, bytes);
    }

    /** Each output is the sum of the inputs' multiples by its row. */
    private static void combine(CodingMatrix rows, ByteBuffer[] inputs, ByteBuffer[] outputs, int bytes) {
        byte[] input = new byte[Math.min(bytes, STRETCH_BYTES)];
        byte[][] sums = new byte[outputs.length][input.length];
        Stretches.forEach(bytes, STRETCH_BYTES, (at, stretch) -> {
            for (byte[] sum : sums) {
                Arrays.fill(sum, (byte) 0);
            }
            for (int j = 0; j < inputs.length; j++) {
                inputs[j].get(inputs[j].position() + at, input, 0, stretch);
                for (int i = 0; i < sums.length; i++) {
                    addMultiple(sums[i], CodingField.multiples(rows.at(i, j)), input, stretch);
                }
            }
            for (int i = 0; i < sums.length; i++) {
                outputs[i].put(outputs[i].position() + at, sums[i], 0, stretch);
            }
        });
    }

    private static void addMultiple(byte[] sum, byte[] multiples, byte[] input, int bytes) {
        for (int i = 0; i < bytes; i++) {
            sum[i] ^= multiples[input[i] & 0xFF];
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the erasure coder is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
