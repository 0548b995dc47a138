// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Counts the records that a mapper takes. */
final class CountedReader<K, V> extends RecordReader<K, V> {

    private final RecordReader<K, V> records;
    private final Counter taken;

    CountedReader(RecordReader<K, V> records, Counter taken) {
        this.records = records;
        this.taken = taken;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException, InterruptedException {
        records.initialize(split, context);
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        boolean more = records.nextKeyValue();
        if (more) {
            taken.increment(1);
        }
        return more;
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
