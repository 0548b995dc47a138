// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.hdfscoder.Units.Memory;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the coders behave among threads, at their end, and when they are asked for what makes no sense. */
class CoderMannersTest {

    private static final int BYTES = 40_000;

    private final byte[][] units = stripe();

    private static byte[][] stripe() {
        byte[][] units = Units.random(new Random(7), 9, BYTES);
        try {
            CoderPair.RS.javaEncoder(6, 3).encode(Arrays.copyOf(units, 6), Arrays.copyOfRange(units, 6, 9));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return units;
    }

    @ParameterizedTest
    @EnumSource
    void hadoopFindsThemByNameBesideItsOwn(CoderPair pair) {
        List<String> names = CodecRegistry.getInstance().getCoders(pair.codec()).stream()
                .map(RawErasureCoderFactory::getCoderName)
                .toList();
        assertThat(names).contains(pair.codec() + "_shredder", pair.codec() + "_java");
    }

    @ParameterizedTest
    @EnumSource
    void theyAskForDirectBuffersAndSayWhoTheyAre(CoderPair pair) {
        assertThat(pair.ourEncoder(5, 1).preferDirectBuffer()).isTrue();
        assertThat(pair.ourDecoder(5, 1).preferDirectBuffer()).isTrue();
        assertThat(pair.ourEncoder(5, 1).allowChangeInputs()).isFalse();
        assertThat(pair.ourEncoder(5, 1)).hasToString(pair.ourDecoder(5, 1).toString());
        assertThat(pair.ourEncoder(5, 1).toString()).startsWith(pair.codec() + "_shredder (");
    }

    /** A way to code that a later Hadoop adds must not lead past the engine unseen. */
    @Test
    void everyWayToCodeIsKnown() {
        assertThat(waysOf(RawErasureEncoder.class, "encode")).hasSize(3);
        assertThat(waysOf(RawErasureDecoder.class, "decode")).hasSize(3);
        for (CoderPair pair : CoderPair.values()) {
            assertThat(waysOf(pair.ourDecoder(5, 1).getClass(), "decode"))
                    .allMatch(way -> way.getDeclaringClass().getPackageName().equals("io.shredder.hdfscoder"))
                    .noneMatch(way -> Modifier.isSynchronized(way.getModifiers()));
        }
    }

    private static List<Method> waysOf(Class<?> coder, String name) {
        return Arrays.stream(coder.getMethods())
                .filter(method -> method.getName().equals(name))
                .toList();
    }

    @Test
    void oneDecoderServesManyThreads() throws Exception {
        RawErasureDecoder decoder = CoderPair.RS.ourDecoder(6, 3);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> readers = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int number = thread;
                readers.add(threads.submit(() -> {
                    readAround(decoder, number);
                    return null;
                }));
            }
            for (Future<?> reader : readers) {
                reader.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void readAround(RawErasureDecoder decoder, int thread) throws IOException {
        for (int round = 0; round < 200; round++) {
            int first = (thread + round) % 9;
            int[] erased = {first, (first + 1 + round % 8) % 9};
            Memory memory = Memory.values()[(thread + round) % Memory.values().length];
            ByteBuffer[] outputs = memory.rooms(2, BYTES);
            decoder.decode(memory.holding(Units.without(units, erased)), erased, outputs);
            assertThat(Arrays.deepEquals(Units.bytes(outputs), Units.select(units, erased)))
                    .as("thread %d, round %d", thread, round)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterReleaseACoderRefusesAndOthersOfItsCodeGoOn(CoderPair pair) throws IOException {
        RawErasureEncoder encoder = pair.ourEncoder(2, 1);
        RawErasureDecoder decoder = pair.ourDecoder(2, 1);
        encoder.release();
        decoder.release();
        decoder.release();
        assertThatThrownBy(() -> encoder.encode(new byte[2][9], new byte[1][9]))
                .isInstanceOf(IOException.class)
                .hasMessage(pair.codec() + "_shredder was released: it codes nothing any more");
        assertThatThrownBy(() -> encoder.encode(Memory.DIRECT.rooms(2, 9), Memory.DIRECT.rooms(1, 9)))
                .isInstanceOf(IOException.class);
        byte[][] two = {null, new byte[9], new byte[9]};
        assertThatThrownBy(() -> decoder.decode(two, new int[] {0}, new byte[1][9]))
                .isInstanceOf(IOException.class);
        byte[][] output = new byte[1][9];
        pair.ourDecoder(2, 1).decode(two, new int[] {0}, output);
        assertThat(output[0]).containsOnly(0);
    }

    @Test
    void whatMakesNoSenseIsRefusedAndMovesNothing() {
        RawErasureEncoder encoder = CoderPair.RS.ourEncoder(6, 3);
        ByteBuffer[] inputs = Memory.DIRECT.rooms(6, 10);
        refuses(() -> encoder.encode(inputs, Memory.DIRECT.rooms(2, 10)), "2 parity shards in place of 3");
        refuses(() -> encoder.encode(Arrays.copyOf(inputs, 5), Memory.DIRECT.rooms(3, 10)), "5 data shards");
        refuses(() -> encoder.encode(inputs, Memory.DIRECT.rooms(3, 9)), "shards of 10 and of 9 bytes");
        refuses(() -> encoder.encode(inputs, new ByteBuffer[3]), "output 0 of 3 is null");
        ByteBuffer[] readOnly = {
            ByteBuffer.allocate(10), ByteBuffer.allocate(10).asReadOnlyBuffer(), inputs[0]
        };
        refuses(() -> encoder.encode(inputs, readOnly), "an output is read-only");
        assertThat(inputs).allMatch(input -> input.remaining() == 10);
        inputs[3] = null;
        refuses(() -> encoder.encode(inputs, Memory.DIRECT.rooms(3, 10)), "input 3 of 6 is null");
    }

    @Test
    void aLossThatCantBeGivenBackIsRefused() {
        RawErasureDecoder decoder = CoderPair.RS.ourDecoder(6, 3);
        ByteBuffer[] output = Memory.HEAP.rooms(1, BYTES);
        refuses(
                () -> decoder.decode(Memory.HEAP.holding(Units.without(units, 0, 1, 2, 3)), new int[] {0}, output),
                "5 shards are there, 6 are needed");
        refuses(
                () -> decoder.decode(Memory.HEAP.holding(units), new int[] {0}, output),
                "shard 0 is wanted, but it is there");
        refuses(
                () -> decoder.decode(Memory.HEAP.holding(Units.without(units, 0)), new int[] {9}, output),
                "shard 9 is wanted of 9");
        refuses(() -> decoder.decode(new ByteBuffer[9], new int[] {0}, output), "0 shards are there");
    }

    /** A code that the engine doesn't have is no reason to have none: Hadoop takes its next coder. */
    @Test
    void aCodeThatTheEngineDoesNotHaveIsLeftToTheNextCoder() {
        assertThatThrownBy(() -> CoderPair.XOR.ourEncoder(4, 2))
                .hasMessageContaining("Fail to create raw erasure encoder");
        assertThatThrownBy(() -> CoderPair.RS.ourDecoder(250, 20))
                .hasMessageContaining("Fail to create raw erasure decoder");
    }

    private static void refuses(Call call, String words) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    /** A call that may throw. */
    @FunctionalInterface
    private interface Call {
        void run() throws IOException;
    }
}
