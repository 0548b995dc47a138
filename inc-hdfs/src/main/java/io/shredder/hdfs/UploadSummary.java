// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import java.util.Locale;

/** What one upload did. */
record UploadSummary(long bytes, int chunks, int blocks, long nanos, String backend) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    /** One line: bytes, chunks, blocks, seconds, megabytes a second, backend. */
    String line(String target) {
        double seconds = nanos / NANOS_PER_SECOND;
        return String.format(
                Locale.ROOT,
                "%s: %,d bytes, %,d chunks, %,d blocks, %.2f s, %.1f MB/s, backend %s",
                target,
                bytes,
                chunks,
                blocks,
                seconds,
                bytes / BYTES_PER_MEGABYTE / seconds,
                backend);
    }
}
