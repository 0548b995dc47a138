// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.input.InputChunk;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** What a task reads that only brings part files. */
final class NoRecords {

    private NoRecords() {}

    /** For the API of {@code mapreduce}. */
    static final class OfNewApi extends RecordReader<InputChunk, NullWritable> {

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {
            // There is nothing to be read.
        }

        @Override
        public boolean nextKeyValue() {
            return false;
        }

        @Override
        public InputChunk getCurrentKey() {
            throw new IllegalStateException("there is no record");
        }

        @Override
        public NullWritable getCurrentValue() {
            return NullWritable.get();
        }

        @Override
        public float getProgress() {
            return 1;
        }

        @Override
        public void close() {}
    }

    /** For the API of {@code mapred}. */
    static final class OfOldApi implements org.apache.hadoop.mapred.RecordReader<ChunkHolder, NullWritable> {

        @Override
        public boolean next(ChunkHolder holder, NullWritable nothing) {
            return false;
        }

        @Override
        public ChunkHolder createKey() {
            return new ChunkHolder();
        }

        @Override
        public NullWritable createValue() {
            return NullWritable.get();
        }

        @Override
        public long getPos() {
            return 0;
        }

        @Override
        public float getProgress() {
            return 1;
        }

        @Override
        public void close() {}
    }
}
