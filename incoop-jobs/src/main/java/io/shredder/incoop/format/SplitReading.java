// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

/**
 * What is known of how an InputFormat's own reader reads a split, which may begin and end anywhere: for jobs without
 * reducers, whose unit of reuse is a split.
 */
public enum SplitReading {
    /** Nothing, so no result of a split is kept. */
    UNKNOWN,
    /**
     * Records follow from the file's header, the split's place in the chunks that it touches, these and the chunk
     * behind them; none is read from further on.
     */
    CONTENT,
    /** So do values. Keys are {@code LongWritable}s that say where records lie in the file. */
    KEYS_ARE_OFFSETS
}
