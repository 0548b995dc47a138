// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.IOException;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * A chunk's records, so many to a mapper: each mapper sees its share as if there were no more. For NLineInputFormat, whose
 * mappers may rely on how many lines they get.
 */
final class MapperShares<K, V> extends RecordReader<K, V> {

    private final RecordReader<K, V> records;
    private final int recordsPerMapper;
    private int left;
    private boolean ahead;

    /** @param recordsPerMapper at least 1 */
    MapperShares(RecordReader<K, V> records, int recordsPerMapper) {
        this.records = records;
        this.recordsPerMapper = recordsPerMapper;
        this.left = recordsPerMapper;
    }

    /** Passes over what the last mapper has left of its share; says whether there are records for another one. */
    boolean nextShare() throws IOException, InterruptedException {
        boolean onlyOneShare = recordsPerMapper == Integer.MAX_VALUE;
        boolean more = !onlyOneShare;
        while (more && left > 0) {
            more = nextKeyValue();
        }
        ahead = more && records.nextKeyValue();
        left = recordsPerMapper;
        return ahead;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        // The records are initialized already: a chunk is no split.
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        if (left == 0) {
            return false;
        }
        boolean more = ahead || records.nextKeyValue();
        ahead = false;
        left--;
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
