// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.RawKeyValueIterator;

/** The shuffle's records, sorted, as one more segment to merge: what Hadoop's own final merge makes of them. */
final class ShuffledSegment<K, V> extends IFile.Reader<K, V> {

    /** How many bytes they have nobody knows; as the largest segment they are read once, and last. */
    private static final long LARGEST = 1L << 50;

    private final RawKeyValueIterator records;

    ShuffledSegment(RawKeyValueIterator records) throws IOException {
        super(null, null, LARGEST, null, null);
        this.records = records;
    }

    @Override
    public boolean nextRawKey(DataInputBuffer key) throws IOException {
        if (!records.next()) {
            return false;
        }
        show(records.getKey(), key);
        return true;
    }

    @Override
    public void nextRawValue(DataInputBuffer value) throws IOException {
        show(records.getValue(), value);
    }

    private static void show(DataInputBuffer from, DataInputBuffer to) {
        to.reset(from.getData(), from.getPosition(), from.getLength() - from.getPosition());
    }

    @Override
    public long getPosition() {
        return 0;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
