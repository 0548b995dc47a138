// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.util.Locale;

/** What one upload did. */
public record UploadSummary(long bytes, int chunks, PublishedBlocks blocks, long nanos, String backend) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    /** One line: bytes, chunks, blocks, what the NameNode keeps of it, seconds, megabytes a second, backend. */
    public String line(String target) {
        double seconds = nanos / NANOS_PER_SECOND;
        return String.format(
                Locale.ROOT,
                "%s: %,d bytes, %,d chunks, %,d blocks, %,d NameNode objects (stock copy %,d), %.2f s, %.1f MB/s, backend %s",
                target,
                bytes,
                chunks,
                blocks.blocks(),
                blocks.nameNodeObjects(),
                blocks.ordinaryObjects(),
                seconds,
                bytes / BYTES_PER_MEGABYTE / seconds,
                backend);
    }
}
