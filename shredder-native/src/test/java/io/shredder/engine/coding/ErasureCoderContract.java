// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.GoldenVectors;
import io.shredder.engine.ShredderException;
import io.shredder.engine.coding.ErasureCode.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every implementation of {@link ErasureCoder} promises. */
abstract class ErasureCoderContract {

    private static final ErasureCode SIX_AND_THREE = new ErasureCode(Kind.RS, 6, 3);

    private final Random random = seeded();

    /** Prints its seed, so that a failure can be repeated. */
    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("ErasureCoderContract seed " + seed);
        return new Random(seed);
    }

    abstract ErasureCoder open(ErasureCode code) throws ShredderException;

    /** Where a shard's buffer lies. */
    enum Memory {
        DIRECT,
        ARRAY,
        PART_OF_ARRAY,
        MIXED;

        private int made;

        /** Room for bytes, at an odd place. */
        ByteBuffer room(int bytes) {
            return switch (this) {
                case DIRECT ->
                    ByteBuffer.allocateDirect(bytes + 40).position(17).limit(17 + bytes);
                case ARRAY -> ByteBuffer.allocate(bytes);
                case PART_OF_ARRAY ->
                    ByteBuffer.allocate(bytes + 9)
                            .position(2)
                            .slice()
                            .position(5)
                            .limit(5 + bytes);
                case MIXED -> values()[made++ % 3].room(bytes);
            };
        }

        ByteBuffer[] rooms(int count, int bytes) {
            ByteBuffer[] rooms = new ByteBuffer[count];
            Arrays.setAll(rooms, i -> room(bytes));
            return rooms;
        }
    }

    private ByteBuffer[] randomShards(Memory memory, int count, int bytes) {
        ByteBuffer[] shards = memory.rooms(count, bytes);
        for (ByteBuffer shard : shards) {
            byte[] contents = new byte[bytes];
            random.nextBytes(contents);
            shard.put(shard.position(), contents);
        }
        return shards;
    }

    private static byte[] bytes(ByteBuffer shard) {
        byte[] bytes = new byte[shard.remaining()];
        shard.get(shard.position(), bytes);
        return bytes;
    }

    private static byte[][] bytes(ByteBuffer[] shards) {
        return Arrays.stream(shards).map(ErasureCoderContract::bytes).toArray(byte[][]::new);
    }

    private static ByteBuffer[] joined(ByteBuffer[] data, ByteBuffer[] parity) {
        ByteBuffer[] all = Arrays.copyOf(data, data.length + parity.length);
        System.arraycopy(parity, 0, all, data.length, parity.length);
        return all;
    }

    private static @Nullable ByteBuffer[] without(ByteBuffer[] shards, List<Integer> lost) {
        @Nullable ByteBuffer[] left = shards.clone();
        lost.forEach(i -> left[i] = null);
        return left;
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    private ByteBuffer[] encoded(ErasureCoder coder, Memory memory, int bytes) throws ShredderException {
        ByteBuffer[] data = randomShards(memory, coder.code().data(), bytes);
        ByteBuffer[] parity = memory.rooms(coder.code().parity(), bytes);
        coder.encode(data, parity);
        return joined(data, parity);
    }

    @Test
    void theVectorsThatAnotherProgramComputed() throws Exception {
        JsonNode vectors = new ObjectMapper()
                .readTree(GoldenVectors.directory().resolve("coding.json").toFile());
        assertThat(vectors.size()).isGreaterThan(20);
        for (JsonNode vector : vectors) {
            Kind kind = Kind.valueOf(
                    vector.get("code").asText().toUpperCase(Locale.ROOT).replace('-', '_'));
            int data = vector.get("data").asInt();
            ErasureCode code = new ErasureCode(kind, data, vector.get("parity").asInt());
            byte[] input = GoldenVectors.input(vector.get("input"));
            int bytes = input.length / data;
            ByteBuffer[] shards = new ByteBuffer[data];
            Arrays.setAll(shards, i -> ByteBuffer.wrap(input, i * bytes, bytes));
            byte[] parity = new byte[bytes * code.parity()];
            ByteBuffer[] outputs = new ByteBuffer[code.parity()];
            Arrays.setAll(outputs, i -> ByteBuffer.wrap(parity, i * bytes, bytes));
            try (ErasureCoder coder = open(code)) {
                coder.encode(shards, outputs);
                assertThat(coder.code()).isEqualTo(code);
            }
            assertThat(HexFormat.of().formatHex(parity))
                    .as(code.toString())
                    .isEqualTo(vector.get("parityShards").asText());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shardsLieWhereverTheyLieAndNoPositionMoves(Memory memory) throws Exception {
        try (ErasureCoder coder = open(SIX_AND_THREE);
                ErasureCoder reference = new ReferenceErasureCoder(SIX_AND_THREE)) {
            for (int bytes : new int[] {1, 63, 64, 1000, 70_001}) {
                ByteBuffer[] data = randomShards(memory, 6, bytes);
                ByteBuffer[] parity = memory.rooms(3, bytes);
                ByteBuffer[] expected = Memory.ARRAY.rooms(3, bytes);
                byte[][] before = bytes(data);
                reference.encode(data, expected);
                coder.encode(data, parity);
                assertThat(bytes(parity)).isDeepEqualTo(bytes(expected));
                assertThat(bytes(data)).isDeepEqualTo(before);
                ByteBuffer[] outputs = memory.rooms(2, bytes);
                coder.decode(without(joined(data, parity), List.of(1, 7)), new int[] {7, 1}, outputs);
                assertThat(outputs[0]).isEqualTo(parity[1]);
                assertThat(outputs[1]).isEqualTo(data[1]);
            }
        }
    }

    @Test
    void inputsMayBeReadOnly() throws Exception {
        try (ErasureCoder coder = open(SIX_AND_THREE)) {
            for (Memory memory : List.of(Memory.DIRECT, Memory.ARRAY)) {
                ByteBuffer[] data = randomShards(memory, 6, 500);
                ByteBuffer[] readOnly =
                        Arrays.stream(data).map(ByteBuffer::asReadOnlyBuffer).toArray(ByteBuffer[]::new);
                ByteBuffer[] parity = memory.rooms(3, 500);
                ByteBuffer[] same = memory.rooms(3, 500);
                coder.encode(data, parity);
                coder.encode(readOnly, same);
                assertThat(same).isEqualTo(parity);
            }
        }
    }

    @Test
    void anyLossesOfAnyCodeComeBack() throws Exception {
        for (int round = 0; round < 60; round++) {
            ErasureCode code = randomCode();
            Memory memory = Memory.values()[round % 4];
            try (ErasureCoder coder = open(code)) {
                ByteBuffer[] shards = encoded(coder, memory, 1 + random.nextInt(300));
                List<Integer> order = new ArrayList<>();
                for (int i = 0; i < code.shards(); i++) {
                    order.add(i);
                }
                Collections.shuffle(order, random);
                List<Integer> lost = order.subList(0, 1 + random.nextInt(code.parity()));
                List<Integer> wanted = lost.subList(0, 1 + random.nextInt(lost.size()));
                ByteBuffer[] outputs = memory.rooms(wanted.size(), shards[0].remaining());
                coder.decode(without(shards, lost), array(wanted), outputs);
                for (int i = 0; i < outputs.length; i++) {
                    assertThat(outputs[i]).as("%s without %s", code, lost).isEqualTo(shards[wanted.get(i)]);
                }
            }
        }
    }

    private ErasureCode randomCode() {
        int shards = 2 + random.nextInt(random.nextInt(10) == 0 ? 60 : 18);
        int data = 1 + random.nextInt(shards - 1);
        return new ErasureCode(random.nextInt(4) == 0 ? Kind.RS_LEGACY : Kind.RS, data, shards - data);
    }

    @Test
    void xorGivesItsOneLossBack() throws Exception {
        try (ErasureCoder coder = open(new ErasureCode(Kind.XOR, 5, 1))) {
            ByteBuffer[] shards = encoded(coder, Memory.MIXED, 999);
            for (int lost = 0; lost < 6; lost++) {
                ByteBuffer[] output = Memory.DIRECT.rooms(1, 999);
                coder.decode(without(shards, List.of(lost)), new int[] {lost}, output);
                assertThat(output[0]).isEqualTo(shards[lost]);
            }
        }
    }

    @Test
    void noBytesAndNoWishesAreFine() throws Exception {
        try (ErasureCoder coder = open(SIX_AND_THREE)) {
            coder.encode(Memory.DIRECT.rooms(6, 0), Memory.ARRAY.rooms(3, 0));
            coder.decode(Memory.DIRECT.rooms(9, 10), new int[0], new ByteBuffer[0]);
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        try (ErasureCoder coder = open(SIX_AND_THREE)) {
            ByteBuffer[] data = Memory.DIRECT.rooms(6, 10);
            ByteBuffer[] parity = Memory.DIRECT.rooms(3, 10);
            ByteBuffer[] all = joined(data, parity);
            assertThatThrownBy(() -> coder.encode(parity, parity)).hasMessage("3 data shards in place of 6");
            assertThatThrownBy(() -> coder.encode(data, Memory.DIRECT.rooms(3, 9)))
                    .hasMessage("shards of 10 and of 9 bytes");
            parity[1] = parity[1].asReadOnlyBuffer();
            assertThatThrownBy(() -> coder.encode(data, parity)).hasMessage("an output is read-only");
            ByteBuffer[] one = Memory.DIRECT.rooms(1, 10);
            assertThatThrownBy(() -> coder.decode(without(all, List.of(0, 1, 2, 3)), new int[] {0}, one))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("5 shards are there, 6 are needed");
            assertThatThrownBy(() -> coder.decode(all, new int[] {0}, one))
                    .hasMessage("shard 0 is wanted, but it is there");
            assertThatThrownBy(() -> coder.decode(all, new int[] {9}, one)).hasMessage("shard 9 is wanted of 9");
            assertThatThrownBy(
                            () -> coder.decode(without(all, List.of(0)), new int[] {0, 0}, Memory.DIRECT.rooms(2, 10)))
                    .hasMessage("shard 0 is wanted twice");
            assertThatThrownBy(() -> coder.decode(without(all, List.of(0)), new int[] {0}, Memory.ARRAY.rooms(1, 9)))
                    .hasMessage("shards of 10 and of 9 bytes");
        }
    }

    @Test
    void aClosedCoderRefusesAndClosesTwice() throws Exception {
        ErasureCoder coder = open(SIX_AND_THREE);
        coder.close();
        assertThatCode(coder::close).doesNotThrowAnyException();
        assertThatThrownBy(() -> coder.encode(Memory.ARRAY.rooms(6, 1), Memory.ARRAY.rooms(3, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the erasure coder is closed");
    }

    @Test
    void manyThreadsMayUseOneCoder() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (ErasureCoder coder = open(SIX_AND_THREE)) {
            ByteBuffer[] shards = encoded(coder, Memory.ARRAY, 40_000);
            List<Future<Integer>> wrong = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int first = t;
                wrong.add(threads.submit(() -> wrongDecodings(coder, shards, first)));
            }
            for (Future<Integer> each : wrong) {
                assertThat(each.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static int wrongDecodings(ErasureCoder coder, ByteBuffer[] shards, int first) throws ShredderException {
        int wrong = 0;
        for (int i = 0; i < 30; i++) {
            int lost = (first + i) % 9;
            ByteBuffer[] output = Memory.values()[i % 3].rooms(1, 40_000);
            coder.decode(without(shards, List.of(lost, (lost + 4) % 9)), new int[] {lost}, output);
            wrong += output[0].equals(shards[lost]) ? 0 : 1;
        }
        return wrong;
    }
}
