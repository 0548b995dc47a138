// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.binding.BlockLayout;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a file that was published, beside those of an ordinary file.
 *
 * @param blocks how many it has
 * @param ordinaryBlocks how many an ordinary file of its length and preferred block size has
 * @param ordinary whether its blocks are those of an ordinary file, so that checksums over blocks agree
 */
public record PublishedBlocks(int blocks, long ordinaryBlocks, boolean ordinary) {

    /** The NameNode keeps the file, its blocks, its manifest and that one's block. */
    private static final int MANIFEST_OBJECTS = 2;

    static PublishedBlocks of(BlockLayout layout, HdfsFileStatus status) {
        long most = status.getBlockSize() * dataUnits(status.getErasureCodingPolicy());
        List<Long> lengths = layout.lengths();
        long expected = (status.getLen() + most - 1) / most;
        return new PublishedBlocks(lengths.size(), expected, lengths.size() <= 1 || allButLast(lengths, most));
    }

    private static int dataUnits(@Nullable ErasureCodingPolicy policy) {
        return policy == null ? 1 : policy.getNumDataUnits();
    }

    private static boolean allButLast(List<Long> lengths, long bytes) {
        return lengths.subList(0, lengths.size() - 1).stream().allMatch(length -> length == bytes);
    }

    /** Objects in the NameNode's memory: the file, the manifest, and the blocks of both. */
    long nameNodeObjects() {
        return 1L + blocks + MANIFEST_OBJECTS;
    }

    /** Objects that a stock copy would have. */
    long ordinaryObjects() {
        return 1 + ordinaryBlocks;
    }
}
