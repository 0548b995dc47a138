// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** A reader of the old API, its key and value filled again and again. */
final class OldApiRecords<K, V> extends RecordReader<K, V> {

    private final org.apache.hadoop.mapred.RecordReader<K, V> records;
    private final K key;
    private final V value;

    /** @param records closed with this */
    OldApiRecords(org.apache.hadoop.mapred.RecordReader<K, V> records) {
        this.records = records;
        this.key = records.createKey();
        this.value = records.createValue();
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        // Readers of the old API have no such step.
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        return records.next(key, value);
    }

    @Override
    public K getCurrentKey() {
        return key;
    }

    @Override
    public V getCurrentValue() {
        return value;
    }

    @Override
    public float getProgress() throws IOException {
        return records.getProgress();
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
