// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.server.stage.Cores;
import java.time.Duration;

/**
 * How much a {@link SnapshotReader} may take.
 *
 * @param cacheBytes of opened chunks, outside of the heap; at least {@link #LEAST_CACHE_BYTES}
 * @param readAheadBytes the most that is fetched ahead of one who reads in order; 0 for nothing
 * @param patience so long an agent that is away is waited for, before reads fail
 * @param cores that open chunks
 */
public record ReaderOptions(long cacheBytes, long readAheadBytes, Duration patience, Cores cores) {

    /** Below that, reads in flight would take each other's chunks away. */
    public static final long LEAST_CACHE_BYTES = 16 << 20;

    /** What is kept where nobody said otherwise. */
    public static final long USUAL_CACHE_BYTES = 128 << 20;

    /** What is read ahead where nobody said otherwise. */
    public static final long USUAL_READ_AHEAD_BYTES = 8 << 20;

    /** How long an agent is waited for where nobody said otherwise. */
    public static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

    private static final long MOST_CACHE_BYTES = 64L << 30;

    /** Refuses what is out of range. */
    public ReaderOptions {
        if (cacheBytes < LEAST_CACHE_BYTES || cacheBytes > MOST_CACHE_BYTES) {
            throw new IllegalArgumentException(
                    "a cache of " + cacheBytes + " bytes: use " + LEAST_CACHE_BYTES + " to " + MOST_CACHE_BYTES);
        }
        if (readAheadBytes < 0 || readAheadBytes > cacheBytes / 2) {
            throw new IllegalArgumentException(
                    "to read " + readAheadBytes + " bytes ahead: use 0 to half of the cache," + " " + cacheBytes / 2);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("a patience of " + patience);
        }
    }

    /** The usual on these cores. */
    public static ReaderOptions usual(Cores cores) {
        return new ReaderOptions(USUAL_CACHE_BYTES, USUAL_READ_AHEAD_BYTES, USUAL_PATIENCE, cores);
    }
}
