// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.ChunkingParams;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * How segments become HDFS blocks, within what HDFS takes.
 *
 * @param params chunking; with segments, blocks end at those, else where {@link BlockFitter} says
 * @param preferredBytes the file's block size, which no block is longer than
 * @param maxBlocks how many blocks HDFS allows a file
 */
public record BlockPlan(ChunkingParams params, long preferredBytes, long maxBlocks) {

    /** Room for the record that a chunk's last cut moves past. */
    public static final long HEADROOM_BYTES = 1 << 20;

    private static final String BLOCK_SIZE_KEY = "dfs.blocksize";
    private static final long DEFAULT_BLOCK_BYTES = 128 << 20;
    private static final String FROM_COMMAND_LINE = "from command line";
    private static final String MAX_BLOCKS_KEY = "dfs.namenode.fs-limits.max-blocks-per-file";
    private static final long DEFAULT_MAX_BLOCKS = 10_000;
    private static final String MIN_BLOCK_KEY = "dfs.namenode.fs-limits.min-block-size";
    private static final long DEFAULT_MIN_BLOCK_BYTES = 1 << 20;
    private static final String BYTES_PER_CHECKSUM_KEY = "dfs.bytes-per-checksum";
    private static final long DEFAULT_BYTES_PER_CHECKSUM = 512;

    static {
        HdfsConfiguration.init();
    }

    /**
     * The plan for {@code params} under {@code conf}. Without segments the block size is {@code dfs.blocksize}, as for
     * any file. With segments a {@code dfs.blocksize} counts only if it was given on the command line: the site's is
     * not meant for segments of other lengths.
     *
     * @throws IllegalArgumentException if a block size was asked for that can't be, or that a segment doesn't fit into
     */
    static BlockPlan of(ChunkingParams params, Configuration conf) {
        long maxBlocks = conf.getLong(MAX_BLOCKS_KEY, DEFAULT_MAX_BLOCKS);
        return new BlockPlan(params, params.hasSegments() ? forSegments(params, conf) : ordinary(conf), maxBlocks);
    }

    private static long ordinary(Configuration conf) {
        long bytes = conf.getLongBytes(BLOCK_SIZE_KEY, DEFAULT_BLOCK_BYTES);
        long unit = conf.getLong(BYTES_PER_CHECKSUM_KEY, DEFAULT_BYTES_PER_CHECKSUM);
        if (bytes < 1 || bytes % unit != 0) {
            throw new IllegalArgumentException(BLOCK_SIZE_KEY + " " + bytes + " is not a positive multiple of "
                    + BYTES_PER_CHECKSUM_KEY + " " + unit + ": use one, such as 128m");
        }
        return bytes;
    }

    private static long forSegments(ChunkingParams params, Configuration conf) {
        if (isFromCommandLine(conf)) {
            return askedFor(params, conf);
        }
        long unit = conf.getLong(BYTES_PER_CHECKSUM_KEY, DEFAULT_BYTES_PER_CHECKSUM);
        long bytes = Math.max(
                params.segmentMaxBytes() + HEADROOM_BYTES, conf.getLong(MIN_BLOCK_KEY, DEFAULT_MIN_BLOCK_BYTES));
        return (bytes + unit - 1) / unit * unit;
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

    /** Passes chunks on to {@code sink}, some of them marked as a segment's last. */
    RecordAligner.Sink fit(RecordAligner.Sink sink) {
        return params.hasSegments() ? sink : new BlockFitter(this, sink);
    }

    /** How much of a file is held back at most while it isn't known which block it belongs to. */
    long heldBytes() {
        return params.hasSegments() ? 0 : params.maxBytes() + HEADROOM_BYTES;
    }

    /** Mean block length on random data, about. */
    private long averageBlockBytes() {
        return params.hasSegments() ? 1L << params.segmentMaskBits() : preferredBytes;
    }

    /** What makes the block size so many bytes, at least. */
    String blocksOf(long bytes) {
        return "use " + (params.hasSegments() ? "-blockMax " : "-D " + BLOCK_SIZE_KEY + "=") + bytes + " or more";
    }

    /** What makes blocks longer. */
    private String longerBlocks(long bytes) {
        return params.hasSegments()
                ? "use -blockAvg " + bytes + " or more"
                : "use -D " + BLOCK_SIZE_KEY + "=" + bytes + " or more";
    }

    /**
     * Refuses, before anything is written, a file that would get more blocks than HDFS allows.
     *
     * @param name the file, for the error
     */
    public void checkLength(String name, long lengthBytes) throws IOException {
        long blocks = lengthBytes / averageBlockBytes();
        if (blocks > maxBlocks) {
            throw new PathIOException(
                    name,
                    "about " + blocks + " blocks, but HDFS allows " + maxBlocks + " a file: "
                            + longerBlocks(Long.highestOneBit(lengthBytes / maxBlocks) * 2));
        }
    }

    /** The error for a file that turned out to have more blocks than HDFS allows. */
    IOException tooManyBlocks(String name, long lengthSoFarBytes) {
        return new PathIOException(
                name,
                "more than " + maxBlocks + " blocks after " + lengthSoFarBytes + " bytes, which HDFS does not allow: "
                        + longerBlocks(averageBlockBytes() * 4));
    }
}
