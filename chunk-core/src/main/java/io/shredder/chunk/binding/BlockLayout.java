// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of an HDFS file, in order. Immutable.
 *
 * @param lengths in bytes
 * @param digest SHA-256 of the blocks' ids, generation stamps and lengths ({@code docs/formats/manifest.md}): any
 *     append or truncate changes it
 */
public record BlockLayout(List<Long> lengths, Fingerprint digest) {

    public BlockLayout {
        lengths = List.copyOf(lengths);
    }

    /** The block lengths that a file with this manifest has: a segment each, rolled over at the preferred size. */
    public static List<Long> expected(Manifest manifest, long preferredBytes) {
        List<Long> lengths = new ArrayList<>();
        for (long segmentBytes : manifest.segmentLengths()) {
            long left = segmentBytes;
            for (; left > preferredBytes; left -= preferredBytes) {
                lengths.add(preferredBytes);
            }
            lengths.add(left);
        }
        return lengths;
    }

    /** Collects blocks in order. Used by one thread, once. */
    public static final class Builder {

        private final List<Long> lengths = new ArrayList<>();
        private final MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();

        /** Adds the next block. */
        public Builder add(long blockId, long generationStamp, long lengthBytes) {
            lengths.add(lengthBytes);
            sha256.update(ByteBuffer.allocate(3 * Long.BYTES)
                    .putLong(blockId)
                    .putLong(generationStamp)
                    .putLong(lengthBytes)
                    .flip());
            return this;
        }

        /** Those that were added. */
        public BlockLayout build() {
            return new BlockLayout(lengths, Fingerprint.of(sha256.digest()));
        }
    }
}
