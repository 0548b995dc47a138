// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfscoder.Units.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ECChunk;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shredder's coders beside Hadoop's own of the same codec: the same bytes, and the same manners with buffers. */
class SameAsHadoopTest {

    /** Around the widths of vectors, the tiles that heap buffers go through, and cells of HDFS. */
    private static final int[] LENGTHS = {
        1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000, 4095, 4096, 4097, 28_671, 28_672,
        28_673, 65_536, 65_537, 262_143, 1 << 20
    };

    private final Random random = seeded();

    /** Prints its seed, so that a failure can be repeated. */
    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("SameAsHadoopTest seed " + seed);
        return new Random(seed);
    }

    private static int[][] smallShapes(CoderPair pair) {
        return pair == CoderPair.XOR
                ? new int[][] {{1, 1}, {2, 1}, {5, 1}}
                : new int[][] {{1, 1}, {2, 1}, {3, 2}, {6, 3}, {5, 4}};
    }

    private static int[][] largerShapes(CoderPair pair) {
        return pair == CoderPair.XOR
                ? new int[][] {{10, 1}, {100, 1}, {254, 1}}
                : new int[][] {{10, 4}, {12, 4}, {17, 3}, {40, 20}, {100, 100}, {200, 54}};
    }

    private byte[][] stripe(CoderPair pair, int data, int parity, int bytes) throws IOException {
        byte[][] units = Arrays.copyOf(Units.random(random, data, bytes), data + parity);
        byte[][] computed = new byte[parity][bytes];
        pair.javaEncoder(data, parity).encode(Arrays.copyOf(units, data), computed);
        System.arraycopy(computed, 0, units, data, parity);
        return units;
    }

    @ParameterizedTest
    @EnumSource
    void parityIsTheSameForEveryLengthAndManner(CoderPair pair) throws IOException {
        int[] shape = pair == CoderPair.XOR ? new int[] {2, 1} : new int[] {6, 3};
        RawErasureEncoder encoder = pair.ourEncoder(shape[0], shape[1]);
        for (int bytes : LENGTHS) {
            byte[][] stripe = stripe(pair, shape[0], shape[1], bytes);
            for (Memory memory : Memory.values()) {
                encodesAs(stripe, encoder, memory);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void parityIsTheSameForEveryShape(CoderPair pair) throws IOException {
        List<int[]> shapes = new ArrayList<>(List.of(smallShapes(pair)));
        shapes.addAll(List.of(largerShapes(pair)));
        for (int[] shape : shapes) {
            byte[][] stripe = stripe(pair, shape[0], shape[1], 1 + random.nextInt(3000));
            RawErasureEncoder encoder = pair.ourEncoder(shape[0], shape[1]);
            encodesAs(stripe, encoder, Memory.POOLED_DIRECT);
            encodesAs(stripe, encoder, Memory.POOLED_HEAP);
        }
    }

    private static void encodesAs(byte[][] stripe, RawErasureEncoder encoder, Memory memory) throws IOException {
        int data = encoder.getNumDataUnits();
        int bytes = stripe[0].length;
        byte[][] parity = Arrays.copyOfRange(stripe, data, stripe.length);
        ByteBuffer[] inputs = memory.holding(Arrays.copyOf(stripe, data));
        int[] starts = Arrays.stream(inputs).mapToInt(ByteBuffer::position).toArray();
        ByteBuffer[] outputs = memory.rooms(parity.length, bytes);

        encoder.encode(inputs, outputs);

        assertThat(Units.bytes(outputs)).as(memory + " of " + bytes).isEqualTo(parity);
        assertThat(outputs).allMatch(Units::isUntouchedAround);
        assertThat(inputs).allMatch(input -> input.remaining() == 0);
        for (int i = 0; i < data; i++) {
            assertThat(Units.bytes(inputs[i].position(starts[i]))).isEqualTo(stripe[i]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyLossOfSmallCodesIsGivenBack(CoderPair pair) throws IOException {
        for (int[] shape : smallShapes(pair)) {
            byte[][] stripe = stripe(pair, shape[0], shape[1], 1 + random.nextInt(300));
            RawErasureDecoder decoder = pair.ourDecoder(shape[0], shape[1]);
            for (int lost = 1; lost < 1 << stripe.length; lost++) {
                if (Integer.bitCount(lost) <= shape[1]) {
                    int bits = lost;
                    int[] erased = IntStream.range(0, stripe.length)
                            .filter(i -> (bits >> i & 1) != 0)
                            .toArray();
                    givesBack(stripe, decoder, erased, Memory.POOLED_DIRECT);
                    givesBack(stripe, decoder, shuffled(erased), Memory.SLICED_HEAP);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void randomLossesOfLargerCodesAreGivenBack(CoderPair pair) throws IOException {
        for (int[] shape : largerShapes(pair)) {
            RawErasureDecoder decoder = pair.ourDecoder(shape[0], shape[1]);
            for (int round = 0; round < 12; round++) {
                byte[][] stripe = stripe(pair, shape[0], shape[1], 1 + random.nextInt(2000));
                int[] erased = losses(stripe.length, 1 + random.nextInt(shape[1]));
                givesBack(stripe, decoder, erased, Memory.values()[round % Memory.values().length]);
            }
        }
    }

    /** HDFS pads the last stripe, and a DataNode repairs in pieces of 64 KiB. */
    @ParameterizedTest
    @EnumSource
    void lossesAreGivenBackForEveryLength(CoderPair pair) throws IOException {
        int[] shape = pair == CoderPair.XOR ? new int[] {2, 1} : new int[] {6, 3};
        RawErasureDecoder decoder = pair.ourDecoder(shape[0], shape[1]);
        for (int bytes : LENGTHS) {
            byte[][] stripe = stripe(pair, shape[0], shape[1], bytes);
            for (Memory memory : Memory.values()) {
                givesBack(stripe, decoder, losses(stripe.length, shape[1]), memory);
            }
        }
    }

    private static void givesBack(byte[][] stripe, RawErasureDecoder decoder, int[] erased, Memory memory)
            throws IOException {
        ByteBuffer[] inputs = memory.holding(Units.without(stripe, erased));
        ByteBuffer[] outputs = memory.rooms(erased.length, stripe[0].length);

        decoder.decode(inputs, erased, outputs);

        assertThat(Units.bytes(outputs))
                .as("%s, %s of %d", memory, Arrays.toString(erased), stripe.length)
                .isEqualTo(Units.select(stripe, erased));
        assertThat(outputs).allMatch(Units::isUntouchedAround);
        assertThat(inputs).allMatch(input -> input == null || input.remaining() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void eachDecodesWhatTheOtherEncoded(CoderPair pair) throws IOException {
        int[] shape = pair == CoderPair.XOR ? new int[] {4, 1} : new int[] {10, 4};
        int all = shape[0] + shape[1];
        for (int round = 0; round < 20; round++) {
            byte[][] units = Units.random(random, all, 1 + random.nextInt(5000));
            byte[][] parity = Arrays.copyOfRange(units, shape[0], all);
            pair.ourEncoder(shape[0], shape[1]).encode(Arrays.copyOf(units, shape[0]), parity);
            int[] erased = losses(all, 1 + random.nextInt(shape[1]));
            Arrays.sort(erased); // rs-legacy_java takes no other order
            byte[][] ours = new byte[erased.length][units[0].length];
            byte[][] javas = new byte[erased.length][units[0].length];
            pair.ourDecoder(shape[0], shape[1]).decode(Units.without(units, erased), erased, ours);
            pair.javaDecoder(shape[0], shape[1]).decode(Units.without(units, erased), erased, javas);
            assertThat(javas).isEqualTo(Units.select(units, erased));
            assertThat(ours).isEqualTo(javas);
        }
    }

    /** What is not needed is null, too: whoever reads around a loss reads no more than that. */
    @ParameterizedTest
    @EnumSource(names = {"RS", "RS_LEGACY"})
    void unitsThatWereNotReadAreNotAskedFor(CoderPair pair) throws IOException {
        byte[][] stripe = stripe(pair, 6, 3, 777);
        byte[][] read = Units.without(stripe, 1, 7, 8);
        byte[][] output = new byte[1][777];
        pair.ourDecoder(6, 3).decode(read, new int[] {1}, output);
        assertThat(output[0]).isEqualTo(stripe[1]);
    }

    @ParameterizedTest
    @EnumSource
    void chunksAreTakenAndThoseOfZerosNotRead(CoderPair pair) throws IOException {
        int parity = pair == CoderPair.XOR ? 1 : 2;
        byte[][] units = Units.random(random, 4 + parity, 20_000);
        Arrays.fill(units[2], (byte) 0);
        ECChunk[] outputs = chunks(Memory.POOLED_DIRECT.rooms(parity, 20_000));
        pair.ourEncoder(4, parity).encode(chunks(Memory.DIRECT.holding(Arrays.copyOf(units, 4))), outputs);
        for (int i = 0; i < parity; i++) {
            units[4 + i] = Units.bytes(outputs[i].getBuffer());
        }
        ECChunk[] inputs = new ECChunk[units.length];
        for (int i = 1; i < units.length; i++) {
            inputs[i] = new ECChunk(Memory.POOLED_DIRECT.holding(units[i]));
        }
        inputs[2] = new ECChunk(Memory.POOLED_DIRECT.room(20_000)); // holds anything
        inputs[2].setAllZero(true);
        ECChunk output = new ECChunk(Memory.POOLED_DIRECT.room(20_000));
        pair.ourDecoder(4, parity).decode(inputs, new int[] {0}, new ECChunk[] {output});
        assertThat(Units.bytes(output.getBuffer())).isEqualTo(units[0]);
        assertThat(inputs[2].getBuffer().remaining()).isZero();
    }

    private static ECChunk[] chunks(ByteBuffer[] buffers) {
        return Arrays.stream(buffers).map(ECChunk::new).toArray(ECChunk[]::new);
    }

    @ParameterizedTest
    @EnumSource
    void inputsMayBeReadOnly(CoderPair pair) throws IOException {
        int parity = pair == CoderPair.XOR ? 1 : 3;
        byte[][] stripe = stripe(pair, 6, parity, 30_000);
        for (Memory memory : Memory.values()) {
            ByteBuffer[] inputs = Arrays.stream(memory.holding(Arrays.copyOf(stripe, 6)))
                    .map(ByteBuffer::asReadOnlyBuffer)
                    .toArray(ByteBuffer[]::new);
            ByteBuffer[] outputs = memory.rooms(parity, 30_000);
            pair.ourEncoder(6, parity).encode(inputs, outputs);
            assertThat(Units.bytes(outputs)).isEqualTo(Arrays.copyOfRange(stripe, 6, 6 + parity));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsCodedOfNothing(CoderPair pair) throws IOException {
        int parity = pair == CoderPair.XOR ? 1 : 3;
        for (Memory memory : Memory.values()) {
            ByteBuffer[] outputs = memory.rooms(parity, 0);
            pair.ourEncoder(6, parity).encode(memory.rooms(6, 0), outputs);
            ByteBuffer[] inputs = memory.rooms(6 + parity, 0);
            inputs[0] = null;
            pair.ourDecoder(6, parity).decode(inputs, new int[] {0}, memory.rooms(1, 0));
            assertThat(outputs).allMatch(Units::isUntouchedAround);
        }
    }

    private int[] losses(int units, int count) {
        return Arrays.copyOf(shuffled(IntStream.range(0, units).toArray()), count);
    }

    private int[] shuffled(int[] numbers) {
        List<Integer> list = new ArrayList<>(Arrays.stream(numbers).boxed().toList());
        Collections.shuffle(list, random);
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
