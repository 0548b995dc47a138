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
    /** Files of the input that can't be read in chunks, and were mapped as in a plain run. */
    PLAIN_FILES,
    /** Contraction nodes that reduce tasks combined, of all partitions together. */
    CONTRACTION_NODES_COMPUTED,
    /** Contraction nodes of earlier runs that reduce tasks read; what stands below them was not needed. */
    CONTRACTION_NODES_REUSED,
    /** Levels of the contraction tree, the root's included. */
    CONTRACTION_DEPTH,
    /** Part files of an earlier run that were copied: of reduce tasks, or of splits of a job without reducers. */
    PARTS_REUSED,
    /** Splits of the input of a job without reducers. */
    SPLITS_TOTAL,
    /** Splits of these that were mapped. */
    SPLITS_COMPUTED,
    /** Bytes of results that reduce tasks read from the memo store, new and old alike. */
    MEMO_BYTES_READ,
    /** Segments that were damaged or gone and were computed again by a reduce task. */
    SEGMENTS_REPAIRED;

    /** The counter group's name. */
    public static final String GROUP = "Incoop";
}
