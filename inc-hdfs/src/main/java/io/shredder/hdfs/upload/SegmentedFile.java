// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;

/**
 * A file being written whose blocks have the lengths that the writer chooses. A segment is one block, or several where
 * it is longer than the preferred block size.
 */
interface SegmentedFile {

    /** How many segments may be written at once; with 1, in the file's order. */
    int writers();

    /**
     * Opens block {@code block} of segment {@code segment}, both counted from 0. What is written until the stream is
     * closed is the block: at least one byte, at most the preferred block size. Called by as many threads as there may
     * be writers, each for segments of its own.
     */
    OutputStream open(int segment, int block) throws IOException;

    /** All {@code blocks} blocks of {@code segment} are closed. */
    void segmentWritten(int segment, int blocks) throws IOException;

    /** All segments are written: one file holds them, in order. */
    Path finish() throws IOException;
}
