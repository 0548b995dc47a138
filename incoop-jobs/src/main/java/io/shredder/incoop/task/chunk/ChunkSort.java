// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.IOException;
import java.util.List;

/** Partitions, sorts and combines the map output of one chunk. One thread. */
interface ChunkSort<K, V> {

    /** Takes a record; key and value may be used again by who gives them. */
    void collect(K key, V value, int partition) throws IOException;

    /**
     * One IFile a partition. Ends the sort.
     *
     * @throws IOException if a partition is longer than an array can be
     */
    List<byte[]> finish() throws IOException, InterruptedException, ClassNotFoundException;

    /** Ends the sort after a failure; what it holds is of no use. */
    void abandon(Throwable cause);
}
