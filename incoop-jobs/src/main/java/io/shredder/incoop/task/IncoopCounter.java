// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

/** What an incremental job reports of itself, in the counter group {@link #GROUP}. */
public enum IncoopCounter {
    /** Chunks of the input. */
    CHUNKS_TOTAL,
    /** Chunks whose map did not run. */
    CHUNKS_REUSED,
    /** Chunks that map tasks computed. */
    CHUNKS_COMPUTED,
    /** Bytes of map output that reduce tasks read from the memo store, of new and old chunks alike. */
    MEMO_BYTES_READ,
    /** Segments that were damaged or gone and were computed again by a reduce task. */
    SEGMENTS_REPAIRED;

    /** The counter group's name. */
    public static final String GROUP = "Incoop";
}
