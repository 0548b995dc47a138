// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.input.InputChunk;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Names the chunks of a group one by one: to {@link IncrementalMapper} a chunk is a record. */
final class ChunkGroupReader extends RecordReader<InputChunk, NullWritable> {

    private List<InputChunk> chunks = List.of();
    private int current = -1;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        chunks = ((ChunkGroupSplit) split).group().chunks();
    }

    @Override
    public boolean nextKeyValue() {
        current++;
        return current < chunks.size();
    }

    @Override
    public InputChunk getCurrentKey() {
        return chunks.get(current);
    }

    @Override
    public NullWritable getCurrentValue() {
        return NullWritable.get();
    }

    @Override
    public float getProgress() {
        return chunks.isEmpty() ? 1 : ChunkGroupSplit.progress(Math.max(current, 0) / (float) chunks.size());
    }

    @Override
    public void close() {}
}
