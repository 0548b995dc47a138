// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.shredder.chunk.DamagedDataException;

/** The index parser behind the digest: whatever the bytes, it gives entries that lie in the file, or refuses. */
class MemoIndexFuzzTest {

    @FuzzTest
    void anyBytesAreParsedOrRefused(FuzzedDataProvider data) {
        int partitions = data.consumeInt(1, 64);
        int entries = data.consumeInt(0, 1000);
        long indexOffset = data.consumeLong(MemoFormat.HEADER_BYTES, 1L << 40);
        try {
            for (MemoEntry entry : new MemoIndexParser("fuzz", data.consumeRemainingAsBytes(), indexOffset, partitions)
                    .parse(entries)) {
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
