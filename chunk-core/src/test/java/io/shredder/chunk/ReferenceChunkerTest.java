// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReferenceChunkerTest {

    private static final ChunkingParams SMALL = ChunkingParams.builder()
            .averageBytes(256)
            .minBytes(64)
            .maxBytes(1024)
            .segments(1024, 512, 4096)
            .build();

    @Test
    void theRolledFingerprintIsTheRemainderOfTheWindow() {
        byte[] data = TestInput.splitmix64(1, 400);
        for (Polynomial polynomial : List.of(Polynomial.DEFAULT, randomPolynomial(new Random(3)))) {
            RabinWindow window = new RabinWindow(polynomial);
            for (int i = 0; i < data.length; i++) {
                assertThat(window.roll(data[i])).as("at %d", i).isEqualTo(remainderOfWindow(data, i, polynomial));
            }
        }
    }

    @Test
    void theChunksDoNotDependOnHowTheStreamIsSplit() {
        long seed = 99;
        Random random = new Random(seed);
        byte[] data = TestInput.splitmix64(seed, 100_000);
        List<Chunk> whole = ReferenceChunker.chunk(SMALL, data);
        for (int round = 0; round < 50; round++) {
            List<Chunk> pieces = new ArrayList<>();
            ReferenceChunker chunker = new ReferenceChunker(SMALL, pieces::add);
            for (int at = 0; at < data.length; ) {
                int length = Math.min(data.length - at, random.nextInt(1 << random.nextInt(16)));
                chunker.update(ByteBuffer.wrap(data, at, length));
                at += length;
            }
            chunker.finish();
            assertThat(pieces).as("seed %d, round %d", seed, round).isEqualTo(whole);
        }
    }

    @Test
    void theChunksAreThoseThatTheRulesGiveOnTheListOfCandidates() {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            ChunkingParams params = randomParams(random);
            byte[] data = TestInput.splitmix64(random.nextLong(), random.nextInt(5_000));
            assertThat(ends(ReferenceChunker.chunk(params, data)))
                    .as("round %d, %s", round, params)
                    .isEqualTo(endsByTheRules(params, data));
        }
    }

    @ParameterizedTest
    @EnumSource
    void chunksCoverTheStreamAndCarryTheDigestOfTheirBytes(DigestAlgorithm algorithm) {
        ChunkingParams params =
                ChunkingParams.builder().averageBytes(256).digest(algorithm).build();
        byte[] data = TestInput.splitmix64(8, 50_000);
        long end = 0;
        for (Chunk chunk : ReferenceChunker.chunk(params, data)) {
            assertThat(chunk.offset()).isEqualTo(end);
            end = chunk.end();
            ByteBuffer bytes = ByteBuffer.wrap(data, (int) chunk.offset(), chunk.length());
            assertThat(chunk.fingerprint()).isEqualTo(Fingerprint.ofData(algorithm, bytes));
        }
        assertThat(end).isEqualTo(data.length);
    }

    @Test
    void anInsertionChangesOnlyTheChunksAroundIt() {
        byte[] data = TestInput.splitmix64(21, 200_000);
        byte[] edited = new byte[data.length + 1];
        System.arraycopy(data, 0, edited, 0, 100_000);
        edited[100_000] = 42;
        System.arraycopy(data, 100_000, edited, 100_001, 100_000);
        List<Fingerprint> before = fingerprints(ReferenceChunker.chunk(SMALL, data));
        List<Fingerprint> after = fingerprints(ReferenceChunker.chunk(SMALL, edited));
        after.removeAll(before);
        assertThat(after).hasSizeBetween(1, 10);
    }

    @Test
    void anEmptyStreamHasNoChunks() {
        assertThat(ReferenceChunker.chunk(SMALL, new byte[0])).isEmpty();
    }

    @Test
    void zerosAreCutAtTheMaximumAlone() {
        List<Chunk> chunks = ReferenceChunker.chunk(SMALL, new byte[4096]);
        assertThat(chunks).extracting(Chunk::length).containsExactly(1024, 1024, 1024, 1024);
        assertThat(chunks).extracting(Chunk::segmentEnd).containsExactly(false, false, false, true);
    }

    @Test
    void theEndOfTheStreamIsASegmentCutAlsoWhereItIsACandidate() {
        byte[] data = TestInput.splitmix64(8, 20_000);
        for (Chunk end : ReferenceChunker.chunk(SMALL, data)) {
            byte[] head = Arrays.copyOf(data, (int) end.end());
            List<Chunk> chunks = ReferenceChunker.chunk(SMALL, head);
            assertThat(chunks.get(chunks.size() - 1))
                    .isEqualTo(new Chunk(end.offset(), end.length(), end.fingerprint(), true));
        }
    }

    @Test
    void segmentsNeverPassTheirMaximumAndReachTheirMinimum() {
        byte[] data = TestInput.splitmix64(77, 300_000);
        long start = 0;
        for (Chunk chunk : ReferenceChunker.chunk(SMALL, data)) {
            if (chunk.segmentEnd()) {
                long length = chunk.end() - start;
                assertThat(length).isLessThanOrEqualTo(4096);
                assertThat(length >= 512 || chunk.end() == data.length).isTrue();
                start = chunk.end();
            }
        }
        assertThat(start).isEqualTo(data.length);
    }

    private static long remainderOfWindow(byte[] data, int end, Polynomial polynomial) {
        long remainder = 0;
        for (int i = end - 47; i <= end; i++) {
            int value = i < 0 ? 0 : data[i];
            for (int bit = 7; bit >= 0; bit--) {
                remainder = remainder << 1 | value >>> bit & 1;
                remainder = remainder >>> 48 != 0 ? remainder ^ polynomial.bits() : remainder;
            }
        }
        return remainder;
    }

    /** Sections 3 and 4 of chunking.md, word for word, on a list of all fingerprints. */
    private static List<Long> endsByTheRules(ChunkingParams params, byte[] data) {
        List<Long> ends = new ArrayList<>();
        int n = data.length;
        int c = 0;
        while (c < n) {
            int next = 0;
            for (int p = c + params.minBytes(); p <= Math.min(n, c + params.maxBytes()) && next == 0; p++) {
                next = isCandidate(params, remainderOfWindow(data, p - 1, params.polynomial())) ? p : 0;
            }
            if (next == 0) {
                next = c + params.maxBytes() <= n ? c + params.maxBytes() : n;
            }
            ends.add((long) next);
            c = next;
        }
        return ends;
    }

    private static boolean isCandidate(ChunkingParams params, long fingerprint) {
        return fingerprint % (1L << params.maskBits()) == params.marker() % (1L << params.maskBits());
    }

    static ChunkingParams randomParams(Random random) {
        int maskBits = 4 + random.nextInt(6);
        int average = 1 << maskBits;
        return ChunkingParams.builder()
                .averageBytes(average)
                .minBytes(1 + random.nextInt(average))
                .maxBytes(average + random.nextInt(4 * average))
                .polynomial(random.nextBoolean() ? Polynomial.DEFAULT : randomPolynomial(random))
                .digest(random.nextBoolean() ? DigestAlgorithm.SHA_256 : DigestAlgorithm.BLAKE3)
                .build();
    }

    private static Polynomial randomPolynomial(Random random) {
        while (true) {
            long bits = 1L << 48 | random.nextLong() & ((1L << 48) - 1) | 1;
            if (Polynomial.isIrreducible(bits)) {
                return new Polynomial(bits);
            }
        }
    }

    private static List<Long> ends(List<Chunk> chunks) {
        return chunks.stream().map(Chunk::end).toList();
    }

    private static List<Fingerprint> fingerprints(List<Chunk> chunks) {
        Chunk[] copy = chunks.toArray(new Chunk[0]);
        return new ArrayList<>(Arrays.stream(copy).map(Chunk::fingerprint).toList());
    }
}
