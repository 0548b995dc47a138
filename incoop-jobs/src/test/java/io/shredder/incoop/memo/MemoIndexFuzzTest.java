// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.LongTests;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The index parser behind the digest: whatever the bytes, it gives entries that lie in the file, or refuses. */
class MemoIndexFuzzTest {

    @FuzzTest
    void anyBytesAreParsedOrRefused(FuzzedDataProvider data) {
        int partitions = data.consumeInt(1, 64);
        int entries = data.consumeInt(0, 1000);
        long indexOffset = data.consumeLong(MemoFormat.HEADER_BYTES, 1L << 40);
        parse(data.consumeRemainingAsBytes(), indexOffset, partitions, entries);
    }

    @Test
    void changedIndexesAreParsedOrRefused() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Fingerprint digest = Fingerprint.ofData(ByteBuffer.allocate(1));
        byte[] whole = MemoFormat.entry(new MemoEntry(
                digest,
                Reuse.REUSABLE,
                List.of(new SegmentRef(80, 10, digest), new SegmentRef(90, 0, digest)),
                List.of(new CounterValue("group", "name", 3)),
                List.of(new Dependency(Dependency.Kind.HDFS, "hdfs://nn/side", "file 7 1 2"))));
        parse(whole, 90, 2, 1);
        for (int i = 0; i < LongTests.count("memo.indexes", 20_000, 100_000); i++) {
            byte[] changed = Arrays.copyOf(whole, whole.length + random.nextInt(9) - 4);
            for (int n = random.nextInt(4); n > 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            parse(changed, 90, 1 + random.nextInt(3), random.nextInt(3));
        }
    }

    private static void parse(byte[] index, long indexOffset, int partitions, int entries) {
        try {
            for (MemoEntry entry : new MemoIndexParser("fuzz", index, indexOffset, partitions).parse(entries)) {
                for (SegmentRef segment : entry.segments()) {
                    if (segment.offset() < MemoFormat.HEADER_BYTES || segment.end() > indexOffset) {
                        throw new AssertionError("a segment outside the file: " + segment);
                    }
                }
            }
        } catch (DamagedDataException refused) {
            if (refused.offset() < indexOffset) {
                throw new AssertionError("refused at an offset before the index", refused);
            }
        }
    }
}
