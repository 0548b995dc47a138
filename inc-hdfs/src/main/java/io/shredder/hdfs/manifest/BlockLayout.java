// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The blocks of an HDFS file, in order.
 *
 * @param lengths in bytes
 * @param digest SHA-256 of the blocks' ids, generation stamps and lengths ({@code docs/formats/manifest.md}): any
 *     append or truncate changes it
 */
public record BlockLayout(List<Long> lengths, Fingerprint digest) {

    /** Asks the NameNode. */
    public static BlockLayout of(DistributedFileSystem fs, Path file, long lengthBytes) throws IOException {
        List<Long> lengths = new ArrayList<>();
        MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
        for (LocatedBlock located : fs.getLocatedBlocks(file, 0, lengthBytes).getLocatedBlocks()) {
            ExtendedBlock block = located.getBlock();
            lengths.add(block.getNumBytes());
            sha256.update(ByteBuffer.allocate(3 * Long.BYTES)
                    .putLong(block.getBlockId())
                    .putLong(block.getGenerationStamp())
                    .putLong(block.getNumBytes())
                    .flip());
        }
        return new BlockLayout(List.copyOf(lengths), Fingerprint.of(sha256.digest()));
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
}
