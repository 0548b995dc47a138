// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;

/** Takes a stream's chunks. Called on the thread that asked for the chunking, with batches in stream order. */
@FunctionalInterface
public interface ChunkSink {

    /**
     * Takes the next chunks.
     *
     * @param batch valid only during the call
     * @throws IOException ends the chunking; the caller gets this exception
     */
    void accept(ChunkBatch batch) throws IOException;
}
