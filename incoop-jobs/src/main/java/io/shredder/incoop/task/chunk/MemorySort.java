// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the map output of a chunk in memory, keys of the same bytes as one: a chunk's words are few, and each is
 * compared as often as its key must find its place, not as often as it occurs. Sorted by Hadoop's own algorithm,
 * which bears comparators that contradict themselves. What does not fit goes to Hadoop's sort buffer. One thread.
 */
final class MemorySort<K, V> implements ChunkSort<K, V> {

    private final ChunkTask task;
    private final TaskAttemptID attempt;
    private final JobConf conf;
    private final int partitions;
    private final Class<K> keyClass;
    private final Class<V> valueClass;
    private final Serializer<K> keys;
    private final Serializer<V> values;
    private final KeyGroups groups;
    private final long room;
    private long records;
    private long recordBytes;
    private @Nullable HadoopSort<K, V> overflow;

    /**
     * @param task the chunk's
     * @param conf of partitioner, comparators and combiner
     * @param room bytes that may be held
     */
    @SuppressWarnings("unchecked")
    MemorySort(ChunkTask task, TaskAttemptID attempt, JobConf conf, long room) throws IOException {
        this.task = task;
        this.attempt = attempt;
        this.conf = conf;
        this.partitions = conf.getNumReduceTasks();
        this.keyClass = (Class<K>) conf.getMapOutputKeyClass();
        this.valueClass = (Class<V>) conf.getMapOutputValueClass();
        this.room = room;
        this.groups = new KeyGroups((RawComparator<?>) conf.getOutputKeyComparator());
        SerializationFactory serializations = new SerializationFactory(conf);
        this.keys = serializations.getSerializer(keyClass);
        this.values = serializations.getSerializer(valueClass);
        keys.open(groups.sink());
        values.open(groups.sink());
    }

    @Override
    public void collect(K key, V value, int partition) throws IOException {
        if (overflow != null) {
            overflow.collect(key, value, partition);
            return;
        }
        check("key", key, keyClass);
        check("value", value, valueClass);
        if (partition < 0 || partition >= partitions) {
            throw new IOException("Illegal partition for " + key + " (" + partition + ")");
        }
        int before = groups.beginKey();
        keys.serialize(key);
        int keyBytes = groups.endKey(before, partition);
        values.serialize(value);
        recordBytes += keyBytes + groups.endValue();
        records++;
        if (groups.memory() > room) {
            handOver();
        }
    }

    private static void check(String what, Object object, Class<?> wanted) throws IOException {
        if (object.getClass() != wanted) {
            throw new IOException("Type mismatch in " + what + " from map: expected " + wanted.getName() + ", received "
                    + object.getClass().getName());
        }
    }

    private void handOver() throws IOException {
        try {
            overflow = new HadoopSort<>(task, conf);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
        SerializationFactory serializations = new SerializationFactory(conf);
        Deserializer<K> keyReader = serializations.getDeserializer(keyClass);
        Deserializer<V> valueReader = serializations.getDeserializer(valueClass);
        DataInputBuffer bytes = new DataInputBuffer();
        keyReader.open(bytes);
        valueReader.open(bytes);
        KeyGroups.Cursor all = groups.all();
        while (all.next()) {
            bytes.reset(groups.bytes(), all.keyStart(), all.keyLength());
            K key = keyReader.deserialize(null);
            bytes.reset(groups.bytes(), all.valueStart(), all.valueLength());
            overflow.collect(key, valueReader.deserialize(null), all.partition());
        }
        groups.release();
    }

    @Override
    public List<byte[]> finish() throws IOException, InterruptedException, ClassNotFoundException {
        if (overflow != null) {
            return overflow.finish();
        }
        counter(TaskCounter.MAP_OUTPUT_RECORDS).increment(records);
        counter(TaskCounter.MAP_OUTPUT_BYTES).increment(recordBytes);
        CompressionCodec codec = conf.getCompressMapOutput()
                ? ReflectionUtils.newInstance(conf.getMapOutputCompressorClass(DefaultCodec.class), conf)
                : null;
        Task.CombinerRunner<K, V> combiner = Task.CombinerRunner.create(
                conf, attempt, counter(TaskCounter.COMBINE_INPUT_RECORDS), task.reporter(), null);
        groups.sort();
        List<byte[]> segments = new ArrayList<>(partitions);
        for (int p = 0; p < partitions; p++) {
            ByteArrayOutputStream segment = new ByteArrayOutputStream();
            write(groups.sorted(p), combiner, codec, new FSDataOutputStream(segment, null));
            counter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).increment(segment.size());
            segments.add(segment.toByteArray());
        }
        groups.release();
        return segments;
    }

    private void write(
            KeyGroups.Cursor sorted,
            Task.@Nullable CombinerRunner<K, V> combiner,
            @Nullable CompressionCodec codec,
            FSDataOutputStream out)
            throws IOException, InterruptedException, ClassNotFoundException {
        IFile.Writer<K, V> writer =
                new IFile.Writer<>(conf, out, keyClass, valueClass, codec, counter(TaskCounter.SPILLED_RECORDS));
        RawKeyValueIterator input = new Records(sorted);
        if (combiner == null) {
            while (input.next()) {
                writer.append(input.getKey(), input.getValue());
            }
        } else if (sorted.hasNext()) {
            Task.CombineOutputCollector<K, V> collector = new Task.CombineOutputCollector<>(
                    counter(TaskCounter.COMBINE_OUTPUT_RECORDS), task.reporter(), conf);
            collector.setWriter(writer);
            combiner.combine(input, collector);
        }
        writer.close();
    }

    private Counters.Counter counter(TaskCounter name) {
        return task.reporter().getCounter(name);
    }

    /** Has neither files nor threads to end. */
    @Override
    public void abandon(Throwable cause) {
        if (overflow != null) {
            overflow.abandon(cause);
        }
    }

    private final class Records extends RawInput {
        private final KeyGroups.Cursor sorted;

        Records(KeyGroups.Cursor sorted) {
            this.sorted = sorted;
        }

        @Override
        public boolean next() {
            if (!sorted.next()) {
                return false;
            }
            key.reset(groups.bytes(), sorted.keyStart(), sorted.keyLength());
            value.reset(groups.bytes(), sorted.valueStart(), sorted.valueLength());
            return true;
        }
    }
}
