// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.IOException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Partitioner;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** Gives each record of a map of either API to the sort, with its partition, as a map task's own writers do. */
final class PartitionedWriter<K, V> extends RecordWriter<K, V> implements OutputCollector<K, V> {

    private final ChunkSort<K, V> sort;
    private final int partitions;
    private final Partitioning<K, V> partitioning;

    private interface Partitioning<K, V> {
        int of(K key, V value, int partitions);
    }

    @SuppressWarnings("unchecked")
    PartitionedWriter(ChunkSort<K, V> sort, JobConf conf) throws ClassNotFoundException {
        this.sort = sort;
        this.partitions = conf.getNumReduceTasks();
        if (partitions == 1) {
            partitioning = (key, value, count) -> 0;
        } else if (conf.getUseNewMapper()) {
            partitioning = ((org.apache.hadoop.mapreduce.Partitioner<K, V>) ReflectionUtils.newInstance(
                    new JobContextImpl(conf, new JobID()).getPartitionerClass(), conf))::getPartition;
        } else {
            partitioning =
                    ((Partitioner<K, V>) ReflectionUtils.newInstance(conf.getPartitionerClass(), conf))::getPartition;
        }
    }

    @Override
    public void write(K key, V value) throws IOException {
        sort.collect(key, value, partitioning.of(key, value, partitions));
    }

    @Override
    public void collect(K key, V value) throws IOException {
        write(key, value);
    }

    /** Leaves the sort open: its owner finishes it. */
    @Override
    public void close(TaskAttemptContext context) {}
}
