// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Records of a chunk that is shown as a file for as long as this is open. */
final class ViewReader<K, V> extends RecordReader<K, V> {

    private final RecordReader<K, V> records;
    private final Path view;

    /** @param records initialized; closed with this */
    ViewReader(RecordReader<K, V> records, Path view) {
        this.records = records;
        this.view = view;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        // The records are initialized already: a chunk is no split.
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
        try {
            records.close();
        } finally {
            ChunkFileSystem.hide(view);
        }
    }
}
