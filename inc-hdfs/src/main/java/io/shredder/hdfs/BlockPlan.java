// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.PathIOException;

/**
 * How segments become HDFS blocks, within what HDFS takes.
 *
 * @param params chunking with segments
 * @param preferredBytes the file's block size, where HDFS ends a block by itself: above the longest segment, so that
 *     only a record that passes {@link #HEADROOM_BYTES} makes a segment roll over into a second block
 * @param maxBlocks how many blocks HDFS allows a file
 */
record BlockPlan(ChunkingParams params, long preferredBytes, long maxBlocks) {

    /** Room for the record that a segment's last cut moves past. */
    static final long HEADROOM_BYTES = 1 << 20;

    private static final String BLOCK_SIZE_KEY = "dfs.blocksize";
    private static final String FROM_COMMAND_LINE = "from command line";
    private static final String MAX_BLOCKS_KEY = "dfs.namenode.fs-limits.max-blocks-per-file";
    private static final long DEFAULT_MAX_BLOCKS = 10_000;
    private static final String MIN_BLOCK_KEY = "dfs.namenode.fs-limits.min-block-size";
    private static final long DEFAULT_MIN_BLOCK_BYTES = 1 << 20;
    private static final String BYTES_PER_CHECKSUM_KEY = "dfs.bytes-per-checksum";
    private static final long DEFAULT_BYTES_PER_CHECKSUM = 512;

    /**
     * The plan for {@code params} under {@code conf}. A {@code dfs.blocksize} counts only if it was given on the command
     * line; the site's default is meant for other files.
     *
     * @throws IllegalArgumentException if a block size was asked for that a segment doesn't fit into
     */
    static BlockPlan of(ChunkingParams params, Configuration conf) {
        long maxBlocks = conf.getLong(MAX_BLOCKS_KEY, DEFAULT_MAX_BLOCKS);
        if (isFromCommandLine(conf)) {
            return new BlockPlan(params, askedFor(params, conf), maxBlocks);
        }
        long unit = conf.getLong(BYTES_PER_CHECKSUM_KEY, DEFAULT_BYTES_PER_CHECKSUM);
        long bytes = Math.max(
                params.segmentMaxBytes() + HEADROOM_BYTES, conf.getLong(MIN_BLOCK_KEY, DEFAULT_MIN_BLOCK_BYTES));
        return new BlockPlan(params, (bytes + unit - 1) / unit * unit, maxBlocks);
    }

    private static boolean isFromCommandLine(Configuration conf) {
        String[] sources = conf.getPropertySources(BLOCK_SIZE_KEY);
        return sources != null && sources.length > 0 && sources[sources.length - 1].equals(FROM_COMMAND_LINE);
    }

    private static long askedFor(ChunkingParams params, Configuration conf) {
        long bytes = conf.getLongBytes(BLOCK_SIZE_KEY, 0);
        if (bytes < params.segmentMaxBytes()) {
            throw new IllegalArgumentException(BLOCK_SIZE_KEY + " " + bytes + " is below the longest block "
                    + params.segmentMaxBytes() + " (-blockMax): raise the one or lower the other");
        }
        return bytes;
    }

    /** Mean block length on random data. */
    private long averageBlockBytes() {
        return 1L << params.segmentMaskBits();
    }

    /**
     * Refuses, before anything is written, a file that would get more blocks than HDFS allows.
     *
     * @param name the file, for the error
     */
    void checkLength(String name, long lengthBytes) throws IOException {
        long blocks = lengthBytes / averageBlockBytes();
        if (blocks > maxBlocks) {
            throw new PathIOException(
                    name,
                    "about " + blocks + " blocks, but HDFS allows " + maxBlocks + " a file: use -blockAvg "
                            + Long.highestOneBit(lengthBytes / maxBlocks) * 2 + " or more");
        }
    }

    /** The error for a file that turned out to have more blocks than HDFS allows. */
    IOException tooManyBlocks(String name, long lengthSoFarBytes) {
        return new PathIOException(
                name,
                "more than " + maxBlocks + " blocks after " + lengthSoFarBytes
                        + " bytes, which HDFS does not allow: use -blockAvg " + averageBlockBytes() * 4 + " or more");
    }
}
