// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

/**
 * Equal chunks of a snapshot, one behind the other.
 *
 * @param chunk each
 * @param count how many, at least 1
 */
public record CachedRun(CachedChunk chunk, int count) {

    /** Refuses empty runs. */
    public CachedRun {
        if (count < 1) {
            throw new IllegalArgumentException("a run of " + count + " chunks");
        }
    }

    /** The length of all. */
    public long bytes() {
        return (long) count * chunk.length();
    }

    boolean goesOnWith(CachedRun next) {
        return count <= Integer.MAX_VALUE - next.count && chunk.equals(next.chunk);
    }
}
