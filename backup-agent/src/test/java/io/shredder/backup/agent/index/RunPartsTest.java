// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filter, fences, sealings and the policy of merges, each alone. */
class RunPartsTest {

    @TempDir
    private Path folder;

    private Run write(int first, int last) throws IOException {
        IndexFiles files = LogStructuredIndexTest.files(new DiskFolder(folder));
        List<IndexEntry> sorted = IntStream.range(first, last)
                .mapToObj(i ->
                        new IndexEntry(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i)))
                .sorted(Comparator.comparing(IndexEntry::fingerprint))
                .toList();
        return Objects.requireNonNull(new RunWriter(files, 1).write(EntrySource.of(sorted), last - first + 1000));
    }

    @Test
    void theFilterPassesEveryKeyAndFewOthers() throws IOException {
        int count = 30_000;
        Run run = write(0, count);
        FilterMemory memory = new FilterMemory();
        assertThat(run.mayContain(FingerprintIndexContract.fingerprint(-1))).isTrue();
        run.loadFilter(memory);
        int passed = 0;
        for (int i = 0; i < count; i++) {
            assertThat(run.mayContain(FingerprintIndexContract.fingerprint(i))).isTrue();
            passed += run.mayContain(FingerprintIndexContract.fingerprint(-1 - i)) ? 1 : 0;
        }
        assertThat(passed).isLessThan(count / 50);
        assertThat(run.memoryBytes()).isLessThan(count * 14L / 10);
        run.release();
    }

    @Test
    void aFilterTakesTheMemoryOfThoseThatWereGivenBack() {
        FilterMemory memory = new FilterMemory();
        int words = 2 * FilterMemory.PIECE_WORDS + 8;
        long[][] first = memory.take(words);
        memory.giveBack(first);
        long[][] second = memory.take(words + 8);
        assertThat(second).hasNumberOfRows(3);
        assertThat(List.of(second[0], second[1])).containsExactlyInAnyOrder(first[0], first[1]);
        assertThat(memory.mostBytes()).isEqualTo(Long.BYTES * (words + 8L));
        memory.giveBack(second);
        memory.trim();
        assertThat(memory.take(words)[0]).isNotSameAs(first[0]).isNotSameAs(first[1]);
        assertThat(memory.mostBytes()).isEqualTo(Long.BYTES * (words + 8L));
    }

    @Test
    void fencesFindThePageOfAnyPrefixHoweverTheyLie() {
        Random random = new Random(Samples.seed());
        for (int round = 0; round < 300; round++) {
            boolean clustered = round % 2 == 0;
            int[] fences = random.ints(1 + random.nextInt(60))
                    .map(upper -> clustered ? upper & 15 : upper)
                    .boxed()
                    .sorted(Integer::compareUnsigned)
                    .mapToInt(Integer::intValue)
                    .toArray();
            RunFences tested = new RunFences(fences.length);
            Arrays.stream(fences).forEach(upper -> tested.add(prefix(upper, random)));
            for (int ask = 0; ask < 50; ask++) {
                int upper = clustered ? random.nextInt(17) : random.nextInt();
                assertThat(tested.firstPage(prefix(upper, random))).isEqualTo(firstPage(fences, upper));
            }
        }
    }

    private static long prefix(int upper, Random random) {
        return ((long) upper << Integer.SIZE) | (random.nextInt() & 0xFFFF_FFFFL);
    }

    /** The page before the first fence that is not below, unless there is none before. */
    private static int firstPage(int[] fences, int upper) {
        int page = 0;
        while (page < fences.length && Integer.compareUnsigned(fences[page], upper) < 0) {
            page++;
        }
        return page > 0 ? page - 1 : fences[0] == upper ? 0 : -1;
    }

    @Test
    void aSealedPieceOpensOnlyAsItWasSealed() {
        for (Sealing.Kind kind : List.of(Sealing.Kind.AES_256_GCM, Sealing.Kind.NONE)) {
            Sealing sealing = kind.with(new byte[32]);
            byte[] plain = Samples.randomBytes(new Random(1), 100);
            byte[] clear = {1, 2, 3};
            byte[] sealed = new byte[116];
            sealing.seal(7, 1, clear, new Sealing.Piece(plain, 0, 100), sealed, 0);
            byte[] opened = new byte[100];
            Sealing.Piece piece = new Sealing.Piece(sealed, 0, 116);
            assertThat(sealing.open(7, 1, clear, piece, opened, 0)).isTrue();
            assertThat(opened).isEqualTo(plain);
            assertThat(sealing.open(8, 1, clear, piece, opened, 0)).isFalse();
            assertThat(sealing.open(7, 2, clear, piece, opened, 0)).isFalse();
            assertThat(sealing.open(7, 1, new byte[] {1, 2, 4}, piece, opened, 0))
                    .isFalse();
            for (int at = 0; at < sealed.length; at++) {
                sealed[at] ^= 8;
                assertThat(sealing.open(7, 1, clear, piece, opened, 0))
                        .as(sealing.getClass().getSimpleName() + " at " + at)
                        .isFalse();
                sealed[at] ^= 8;
            }
            assertThat(Arrays.equals(Arrays.copyOf(sealed, 100), plain)).isEqualTo(kind == Sealing.Kind.NONE);
        }
    }

    @Test
    void runsAreJoinedSoThatEachIsMoreThanTwiceAllNewerOnes() {
        assertThat(RunMerges.runsToMerge(List.of())).isZero();
        assertThat(RunMerges.runsToMerge(List.of(5L))).isZero();
        assertThat(RunMerges.runsToMerge(List.of(1L, 3L, 9L))).isZero();
        assertThat(RunMerges.runsToMerge(List.of(1L, 2L, 9L))).isEqualTo(2);
        assertThat(RunMerges.runsToMerge(List.of(1L, 3L, 8L))).isEqualTo(3);
        assertThat(RunMerges.runsToMerge(List.of(4L, 9L, 1L, 100L))).isEqualTo(3);
    }
}
