// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Another reader's records, to be overridden where they shall differ. One thread. */
public abstract class ForwardingReader<K, V> extends RecordReader<K, V> {

    private final RecordReader<K, V> records;

    /** @param records initialized, since a chunk is no split, or by an override; closed with this */
    protected ForwardingReader(RecordReader<K, V> records) {
        this.records = records;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException, InterruptedException {
        // The records are initialized already.
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        return records.nextKeyValue();
    }

    @Override
    public K getCurrentKey() throws IOException, InterruptedException {
        return records.getCurrentKey();
    }

    @Override
    public V getCurrentValue() throws IOException, InterruptedException {
        return records.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
        return records.getProgress();
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
