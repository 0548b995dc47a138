// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.split;

import io.shredder.incoop.format.ForwardingReader;
import java.io.IOException;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.MapContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;

/** The job's own reader of one of its own splits, which sees the task through a watch. */
public final class SplitReader<K, V> extends ForwardingReader<K, V> {

    private final RecordReader<K, V> own;
    private final SplitWatch watch;

    /** @param watch closed with this */
    public SplitReader(RecordReader<K, V> own, SplitWatch watch) {
        super(own);
        this.own = own;
        this.watch = watch;
    }

    /** @param context the mapper's, as Hadoop does it */
    @Override
    @SuppressWarnings("unchecked")
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException, InterruptedException {
        MapContext<Object, Object, Object, Object> mappers = (MapContext<Object, Object, Object, Object>) context;
        watch.run(() -> {
            own.initialize(
                    split,
                    new WrappedMapper<Object, Object, Object, Object>()
                            .getMapContext(new SplitContext<>(mappers, watch)));
            return own;
        });
    }

    @Override
    public K getCurrentKey() throws IOException, InterruptedException {
        return watch.seenKey(super.getCurrentKey());
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            watch.close();
        }
    }
}
