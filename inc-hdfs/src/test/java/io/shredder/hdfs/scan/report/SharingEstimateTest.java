// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What tasks tell of chunks, and what a sample of it says of all. */
class SharingEstimateTest {

    private static final int GROUPS = 3;
    private static final int TASKS = 4;
    private static final int PLACES = 120_000;
    private static final int ZEROS = 5;
    private static final Map<Integer, ByteBuffer> DIGESTS = new HashMap<>();

    /** How often each chunk comes: some once, some in every group, one all the time. */
    private static int drawn(Random random) {
        return random.nextInt(4) == 0 ? ZEROS : random.nextInt(random.nextInt(3) == 0 ? 2_000 : 60_000);
    }

    private static ByteBuffer digest(int chunk) {
        return DIGESTS.computeIfAbsent(chunk, seed -> {
            byte[] digest = new byte[32];
            new Random(seed).nextBytes(digest);
            return ByteBuffer.wrap(digest);
        });
    }

    private static int length(int chunk) {
        return chunk == ZEROS ? 16_384 : 1_024 + chunk % 15_000;
    }

    /** As the jobs do it. */
    private static SharingEstimate estimate(int percent, int slots, Sharing exact) {
        Random random = new Random(3);
        Sharing all = new Sharing(GROUPS);
        Map<Integer, long[]> told = new HashMap<>();
        Set<Integer> chunks = new HashSet<>();
        for (int task = 0; task < TASKS; task++) {
            SeenChunks seen = new SeenChunks(slots);
            for (int place = 0; place < PLACES; place++) {
                int chunk = drawn(random);
                int group = random.nextInt(GROUPS);
                chunks.add(chunk);
                boolean tells = seen.isNew(digest(chunk), group);
                all.addPlace(group, length(chunk), tells);
                if (tells && (digest(chunk).getInt(0) & 0xFFFF_FFFFL) < (percent << 16) / 100 * (1L << 16)) {
                    told.computeIfAbsent(chunk, ignored -> new long[GROUPS])[group]++;
                }
            }
        }
        chunks.forEach(chunk -> exact.addDifferent(length(chunk), 1, 0, 0));
        Sharing sample = new Sharing(GROUPS);
        told.forEach((chunk, times) -> sample.addDifferent(length(chunk), times));
        return new SharingEstimate(all, sample);
    }

    private static double savedPercent(long bytes, long different) {
        return 100.0 * (bytes - different) / bytes;
    }

    @Test
    void allChunksGiveTheExactFigureHoweverLittleTasksRemember() {
        for (int slots : new int[] {1, 256, SeenChunks.SLOTS}) {
            Sharing exact = new Sharing(GROUPS);
            SharingEstimate all = estimate(100, slots, exact);
            assertThat(all.different()).as("%d slots", slots).isEqualTo(exact.different());
            assertThat(all.shared(0, 1)).isLessThanOrEqualTo(all.different(0)).isPositive();
        }
    }

    @Test
    void aSampleIsNearThatThoughAQuarterOfAllIsOneChunkThatIsNotInIt() {
        assertThat(digest(ZEROS).getInt(0) & 0xFFFF_FFFFL)
                .as("not in the sample")
                .isGreaterThan((5 << 16) / 100 * (1L << 16));
        for (int slots : new int[] {1 << 12, SeenChunks.SLOTS}) {
            Sharing exact = new Sharing(GROUPS);
            SharingEstimate sample = estimate(5, slots, exact);
            assertThat(savedPercent(sample.bytes(), sample.different()))
                    .as("%d slots", slots)
                    .isCloseTo(savedPercent(sample.bytes(), exact.different()), within(1.0));
        }
    }

    @Test
    void ofWhatHasNoChunkInTheSampleNothingIsSaidToRepeat() {
        Sharing all = new Sharing(2);
        all.addPlace(1, 100, true);
        SharingEstimate estimate = new SharingEstimate(all, new Sharing(2));
        assertThat(estimate.different(1)).isEqualTo(100);
        assertThat(estimate.shared(0, 1)).isZero();
        assertThat(SharingEstimate.none().bytes()).isZero();
    }

    @Test
    void namesOnThePageCannotBeMarkup() {
        assertThat(BarPlot.escaped("<a href='x'>\"&\u0007" + (char) 0xD800))
                .isEqualTo("&lt;a href=&#39;x&#39;&gt;&quot;&amp;\uFFFD\uFFFD");
    }
}
