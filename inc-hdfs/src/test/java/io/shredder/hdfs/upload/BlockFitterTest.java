// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.InTurn;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockFitterTest {

    private static final int KIB = 1 << 10;
    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(4 * KIB);

    /** Keeps what reaches it: bytes, chunks' lengths and blocks' lengths. */
    private static final class Recorder implements RecordAligner.Sink {
        private final List<Long> chunks = new ArrayList<>();
        private final List<Long> blocks = new ArrayList<>();
        private long chunk;
        private long block;
        private int next;
        private int longestPiece;

        @Override
        public void data(ByteBuffer piece) {
            longestPiece = Math.max(longestPiece, piece.remaining());
            while (piece.hasRemaining()) {
                assertThat(piece.get()).isEqualTo((byte) next++);
                chunk++;
            }
        }

        @Override
        public void endChunk(boolean segmentEnd) {
            chunks.add(chunk);
            block += chunk;
            chunk = 0;
            if (segmentEnd) {
                blocks.add(block);
                block = 0;
            }
        }
    }

    /** Chunks of random lengths, given in pieces of random lengths. */
    private static Recorder fitted(long preferredBytes, List<Integer> chunks, Random random) throws IOException {
        Recorder recorder = new Recorder();
        BlockFitter fitter = new BlockFitter(new BlockPlan(PARAMS, preferredBytes, 10_000), recorder);
        int next = 0;
        for (int i = 0; i < chunks.size(); i++) {
            for (int left = chunks.get(i); left > 0; ) {
                byte[] piece = new byte[Math.min(left, 1 + random.nextInt(8 * KIB))];
                for (int j = 0; j < piece.length; j++) {
                    piece[j] = (byte) next++;
                }
                left -= piece.length;
                fitter.data(ByteBuffer.wrap(piece));
            }
            fitter.endChunk(i == chunks.size() - 1);
        }
        return recorder;
    }

    private static List<Integer> randomChunks(int count, Random random) {
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double exponential = -Math.log(1 - random.nextDouble()) * 3 * KIB;
            lengths.add((int) Math.min(16 * KIB, KIB + exponential));
        }
        return lengths;
    }

    /** Of the bytes of all splits, the share that lies in the block in which its split begins. */
    private static double localShare(List<Long> blocks, long splitBytes) {
        long local = 0;
        long start = 0;
        for (long block : blocks) {
            long split = (start + splitBytes - 1) / splitBytes * splitBytes;
            for (; split < start + block; split += splitBytes) {
                local += Math.min(start + block - split, splitBytes);
            }
            start += block;
        }
        return (double) local / start;
    }

    @InTurn(days = 3)
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void splitsOfTheBlockSizeLieOnBlocksHoweverLongTheFileAndFewBlocksAreMore(long seed) throws IOException {
        Random random = new Random(seed);
        List<Integer> lengths = randomChunks(20_000, random);
        long preferred = 512 * KIB;
        Recorder written = fitted(preferred, lengths, random);

        assertThat(written.chunks)
                .isEqualTo(lengths.stream().map(Integer::longValue).toList());
        assertThat(written.blocks).allMatch(block -> block <= preferred);
        assertThat(localShare(written.blocks, preferred)).isGreaterThan(0.95);
        long bytes = lengths.stream().mapToLong(Integer::longValue).sum();
        assertThat(written.blocks.size()).isLessThan((int) (bytes / preferred * 1.12));
    }

    @Test
    void whatWasHeldGoesOnAsItCameAndIsNotPutTogether() throws IOException {
        Recorder written = fitted(64 * KIB, List.of(60 * KIB, 15 * KIB, 30 * KIB), new Random(6));
        assertThat(written.longestPiece).isLessThanOrEqualTo(8 * KIB);
        assertThat(written.blocks).containsExactly(60L * KIB, 45L * KIB);
    }

    @Test
    void aFileThatFitsIsOneBlock() throws IOException {
        Recorder written = fitted(64 * KIB, List.of(10 * KIB, 20 * KIB, 34 * KIB), new Random(1));
        assertThat(written.blocks).containsExactly(64L * KIB);
    }

    @Test
    void aChunkThatDoesNotFitBeginsTheNextBlock() throws IOException {
        Recorder written = fitted(64 * KIB, List.of(60 * KIB, 5 * KIB), new Random(1));
        assertThat(written.blocks).containsExactly(60L * KIB, 5L * KIB);
    }

    @Test
    void aChunkLongerThanABlockIsABlocksOnlyOneOrItsLast() throws IOException {
        Recorder written = fitted(2048 * KIB, List.of(5000 * KIB, 3 * KIB, 2 * KIB), new Random(1));
        assertThat(written.blocks).containsExactly(5000L * KIB, 5L * KIB);
    }

    @Test
    void aBlockThatHasComeTooEarlyIsFollowedByAShortOneUpToTheNextSplit() throws IOException {
        List<Integer> lengths = new ArrayList<>(List.of(52 * KIB));
        lengths.addAll(java.util.Collections.nCopies(30, 4 * KIB + 1024));
        lengths.set(1, 16 * KIB);
        Recorder written = fitted(64 * KIB, lengths, new Random(1));
        assertThat(written.blocks.get(0)).isEqualTo(52L * KIB);
        assertThat(written.blocks.get(1)).isEqualTo((16 + 45) * (long) KIB);
    }
}
