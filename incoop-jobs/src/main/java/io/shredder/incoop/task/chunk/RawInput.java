// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.util.Progress;

/** Serialized records for a combiner or reducer; who extends it lets the two buffers show the current one. */
public abstract class RawInput implements RawKeyValueIterator {

    public final DataInputBuffer key = new DataInputBuffer();
    public final DataInputBuffer value = new DataInputBuffer();

    @Override
    public final DataInputBuffer getKey() {
        return key;
    }

    @Override
    public final DataInputBuffer getValue() {
        return value;
    }

    @Override
    public void close() throws IOException {}

    @Override
    public Progress getProgress() {
        return new Progress();
    }
}
