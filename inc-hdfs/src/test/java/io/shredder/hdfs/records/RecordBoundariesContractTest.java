// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfs.records.InputRecords.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for the record ends of every format. */
class RecordBoundariesContractTest {

    private static final int ROUNDS = 100;

    @ParameterizedTest
    @EnumSource(RecordFile.class)
    void endsAreThoseThatTheFormatsOwnReaderKnowsWhateverTheCutsAndBuffers(RecordFile kind) throws IOException {
        long seed = System.nanoTime();
        System.out.println(kind + " seed " + seed);
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            byte[] data = kind.random(random);
            TreeSet<Long> cuts = randomCuts(data.length, random);
            assertThat(movedCuts(kind, data, cuts, random))
                    .as("%s seed %d cuts %s", kind, seed + round, cuts)
                    .isEqualTo(byDefinition(kind.ends(data), cuts, data.length));
        }
    }

    private static TreeSet<Long> randomCuts(int length, Random random) {
        TreeSet<Long> cuts = new TreeSet<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            cuts.add(1L + random.nextInt(length));
        }
        return cuts;
    }

    /** docs/formats/chunking.md, section 6. */
    private static List<Long> byDefinition(TreeSet<Long> ends, TreeSet<Long> cuts, long length) {
        TreeSet<Long> moved = new TreeSet<>();
        for (long cut : cuts) {
            Long end = ends.ceiling(cut);
            moved.add(end == null ? length : end);
        }
        return List.copyOf(moved);
    }

    /** The bytes pass in buffers of any length, as the boundaries' contract says. */
    private static List<Long> movedCuts(RecordFile kind, byte[] data, TreeSet<Long> cuts, Random random)
            throws IOException {
        RecordBoundaries boundaries = format(kind).open("test");
        List<Long> moved = new ArrayList<>();
        int position = 0;
        for (long cut : cuts) {
            while (position < cut) {
                ByteBuffer buffer = buffer(data, position, (int) cut, random);
                position = buffer.limit();
                boundaries.skip(buffer);
                assertThat(buffer.hasRemaining()).isFalse();
            }
            boolean found = position > cut;
            while (!found && position < data.length) {
                ByteBuffer buffer = buffer(data, position, data.length, random);
                found = boundaries.findEnd(buffer);
                position = buffer.position();
            }
            if (moved.isEmpty() || moved.get(moved.size() - 1) < cut) {
                moved.add((long) position);
            }
        }
        while (position < data.length) {
            ByteBuffer buffer = buffer(data, position, data.length, random);
            position = buffer.limit();
            boundaries.skip(buffer);
        }
        boundaries.finish();
        return moved;
    }

    private static ByteBuffer buffer(byte[] data, int from, int to, Random random) {
        int length = 1 + random.nextInt(Math.min(to - from, 1 << random.nextInt(10)));
        return ByteBuffer.wrap(data, from, length).asReadOnlyBuffer();
    }

    private static RecordFormat format(RecordFile kind) {
        return RecordFormats.find(kind.inputFormat(), kind.configured(new Configuration(false)));
    }
}
