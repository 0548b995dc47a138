// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Filter, fences, sealings and the policy of merges, each alone. */
class RunPartsTest {

    @Test
    void theFilterPassesEveryKeyAndFewOthers() {
        int count = 100_000;
        KeyFilter filter = KeyFilter.forKeys(count);
        for (int i = 0; i < count; i++) {
            filter.add(FingerprintIndexContract.fingerprint(i));
        }
        int passed = 0;
        for (int i = 0; i < count; i++) {
            assertThat(filter.mayContain(FingerprintIndexContract.fingerprint(i)))
                    .isTrue();
            passed += filter.mayContain(FingerprintIndexContract.fingerprint(-1 - i)) ? 1 : 0;
        }
        assertThat(passed).isLessThan(count / 50);
        assertThat(filter.bytes()).isLessThan(count * 13L / 10);
    }

    private static Fingerprint withPrefix(long prefix) {
        return Fingerprint.read(ByteBuffer.allocate(32).putLong(0, prefix));
    }

    @Test
    void fencesFindThePageOfAnyPrefixHoweverTheyLie() {
        Random random = new Random(Samples.seed());
        for (int round = 0; round < 300; round++) {
            boolean clustered = round % 2 == 0;
            long[] sorted = random.longs(1 + random.nextInt(60))
                    .map(prefix -> clustered ? prefix & 15 : prefix)
                    .toArray();
            long[] fences = Arrays.stream(sorted)
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .mapToLong(Long::longValue)
                    .toArray();
            RunFences tested = new RunFences(fences.length);
            Arrays.stream(fences).forEach(prefix -> tested.add(withPrefix(prefix)));
            for (int ask = 0; ask < 50; ask++) {
                long prefix = clustered ? random.nextInt(17) : random.nextLong();
                assertThat(tested.firstPage(prefix)).isEqualTo(firstPage(fences, prefix));
            }
        }
    }

    /** The page before the first fence that is not below, unless there is none before. */
    private static int firstPage(long[] fences, long prefix) {
        int page = 0;
        while (page < fences.length && Long.compareUnsigned(fences[page], prefix) < 0) {
            page++;
        }
        return page > 0 ? page - 1 : fences[0] == prefix ? 0 : -1;
    }

    @Test
    void aSealedPieceOpensOnlyAsItWasSealed() {
        for (Sealing.Kind kind : Sealing.Kind.values()) {
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
                        .as(kind + " at " + at)
                        .isFalse();
                sealed[at] ^= 8;
            }
            assertThat(Arrays.equals(Arrays.copyOf(sealed, 100), plain)).isEqualTo(kind == Sealing.Kind.NONE);
        }
    }

    @Test
    void runsAreJoinedSoThatEachIsMoreThanTwiceAllNewerOnes() {
        assertThat(MergePolicy.runsToMerge(List.of())).isZero();
        assertThat(MergePolicy.runsToMerge(List.of(5L))).isZero();
        assertThat(MergePolicy.runsToMerge(List.of(1L, 3L, 9L))).isZero();
        assertThat(MergePolicy.runsToMerge(List.of(1L, 2L, 9L))).isEqualTo(2);
        assertThat(MergePolicy.runsToMerge(List.of(1L, 3L, 8L))).isEqualTo(3);
        assertThat(MergePolicy.runsToMerge(List.of(4L, 9L, 1L, 100L))).isEqualTo(3);
    }
}
