// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.WatchedOffset;
import java.io.IOException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/** Gives each record of a map to the sort buffer, with its partition, as a map task's own writer does. */
final class PartitionedWriter<K, V> extends RecordWriter<K, V> {

    private final MapTask.MapOutputBuffer<K, V> buffer;
    private final int partitions;
    private final @Nullable Partitioner<K, V> partitioner;

    @SuppressWarnings("unchecked")
    PartitionedWriter(MapTask.MapOutputBuffer<K, V> buffer, JobConf conf) throws ClassNotFoundException {
        this.buffer = buffer;
        this.partitions = conf.getNumReduceTasks();
        JobContext job = new JobContextImpl(conf, new JobID());
        this.partitioner = partitions > 1
                ? (Partitioner<K, V>) ReflectionUtils.newInstance(job.getPartitionerClass(), conf)
                : null;
    }

    @Override
    public void write(K key, V value) throws IOException {
        K plainKey = plain(key);
        V plainValue = plain(value);
        int partition = partitioner == null ? 0 : partitioner.getPartition(plainKey, plainValue, partitions);
        buffer.collect(plainKey, plainValue, partition);
    }

    @SuppressWarnings("unchecked")
    private static <T> T plain(T written) {
        return written instanceof WatchedOffset offset ? (T) offset.read() : written;
    }

    /** Leaves the buffer open: its owner flushes it. */
    @Override
    public void close(TaskAttemptContext context) {}
}
