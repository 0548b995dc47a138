// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.Progress;
import org.jspecify.annotations.Nullable;

/**
 * Merges staged segments by the job's comparator, and through its combiner where that is wanted: in one pass ({@link
 * SegmentQueue}) or, if they are too many for that, by Hadoop's own merge. What the combiner counts here is not the
 * job's: how often it runs depends on what was kept. One thread.
 */
final class SegmentMerge<K, V> {

    /** More than Hadoop's own default, since segments are small: fewer passes over the disk. */
    private static final int SMALLEST_MERGE_FACTOR = 64;

    /** Which part of the heap open segments may take. */
    private static final int HEAP_PARTS = 3;

    private final ShuffleConsumerPlugin.Context<K, V> task;
    private final JobConf conf;
    private final FileSystem local;
    private final Class<K> keyClass;
    private final Class<V> valueClass;
    private final @Nullable CompressionCodec codec;
    private final @Nullable BlockUnpacker blocks;
    private final ChunkTask combining;
    private boolean combinesAlike = true;
    private boolean combinesInOrder = true;

    @SuppressWarnings("unchecked")
    SegmentMerge(ShuffleConsumerPlugin.Context<K, V> task) throws IOException {
        this.task = task;
        this.conf = task.getJobConf();
        this.local = Staging.localFs(conf);
        this.keyClass = (Class<K>) conf.getMapOutputKeyClass();
        this.valueClass = (Class<V>) conf.getMapOutputValueClass();
        this.codec = task.getCodec();
        this.blocks = BlockUnpacker.of(codec).orElse(null);
        this.combining = new ChunkTask(
                TaskAttemptID.downgrade(task.getReduceId()),
                task.getMapOutputFile(),
                task.getReporter(),
                task.getReporter()::setStatus);
    }

    /** All records of the segments in the order of their keys. */
    RawKeyValueIterator merge(List<Staging.Staged> staged) throws IOException {
        return merge(staged, List.of());
    }

    /**
     * All records of the segments, and of what the shuffle has brought, in the order of their keys.
     *
     * @param shuffled sorted records, none or one of them; closed with the result
     */
    @SuppressWarnings("unchecked")
    RawKeyValueIterator merge(List<Staging.Staged> staged, List<RawKeyValueIterator> shuffled) throws IOException {
        RawComparator<K> order = (RawComparator<K>) conf.getOutputKeyComparator();
        List<StagedReader<K, V>> readers = new ArrayList<>(staged.size());
        for (Staging.Staged segment : staged) {
            readers.add(new StagedReader<>(conf, local, segment, codec, blocks));
        }
        List<IFile.Reader<K, V>> sources = new ArrayList<>(readers);
        for (RawKeyValueIterator records : shuffled) {
            sources.add(new ShuffledSegment<>(records));
        }
        int factor = mergeFactor(readers);
        return readers.size() <= factor ? new SegmentQueue<>(sources, order) : inPasses(sources, order, factor);
    }

    /** By Hadoop's own merge, over the local disk. */
    private RawKeyValueIterator inPasses(List<IFile.Reader<K, V>> sources, RawComparator<K> order, int factor)
            throws IOException {
        List<Merger.Segment<K, V>> segments = new ArrayList<>(sources.size());
        for (IFile.Reader<K, V> source : sources) {
            segments.add(new Merger.Segment<>(source, true));
        }
        return Merger.merge(
                conf,
                local,
                keyClass,
                valueClass,
                codec,
                segments,
                factor,
                new Path(task.getReduceId().toString()),
                order,
                task.getReporter(),
                true,
                null,
                task.getSpilledRecordsCounter(),
                new Progress(),
                TaskType.REDUCE);
    }

    /** As many as fit into memory, those that take least first. */
    private int mergeFactor(List<StagedReader<K, V>> readers) throws IOException {
        long room = Runtime.getRuntime().maxMemory() / HEAP_PARTS;
        long[] memory = new long[readers.size()];
        for (int i = 0; i < memory.length; i++) {
            memory[i] = readers.get(i).memory();
        }
        Arrays.sort(memory);
        int fitting = 0;
        for (; fitting < memory.length && memory[fitting] <= room; fitting++) {
            room -= memory[fitting];
        }
        int wanted = conf.getInt(MRJobConfig.IO_SORT_FACTOR, SMALLEST_MERGE_FACTOR);
        return Math.max(fitting, Math.max(SMALLEST_MERGE_FACTOR, wanted));
    }

    /** The merge of the segments through the combiner, as one segment. */
    Staging.Staged combine(List<Staging.Staged> staged, Staging into, boolean reusable)
            throws IOException, InterruptedException {
        ReduceWatch watch = ReduceWatch.of(conf);
        Staging.Staged combined = combine(staged, into, reusable, watch.conf(conf));
        combinesAlike &= watch.sawNothing();
        return combined;
    }

    private Staging.Staged combine(List<Staging.Staged> staged, Staging into, boolean reusable, JobConf combinerConf)
            throws IOException, InterruptedException {
        try {
            Optional<SparingCombiner<K, V>> sparing = combinesInOrder
                    ? SparingCombiner.of(combinerConf, task.getReduceId(), combining.reporter())
                    : Optional.empty();
            if (sparing.isPresent()) {
                try {
                    return into.write(
                            out -> write(out, writer -> sparing.get().combine(merge(staged), writer)), reusable);
                } catch (SparingCombiner.OutOfOrderException e) {
                    combinesInOrder = false;
                }
            }
            return into.write(out -> write(out, writer -> combineAll(staged, combinerConf, writer)), reusable);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }

    /** Whether all that was combined so far follows from the segments alone. */
    boolean combinesAlike() {
        return combinesAlike;
    }

    /** Writes a segment's records. */
    private interface Records<K, V> {
        void writeTo(IFile.Writer<K, V> writer) throws IOException, InterruptedException;
    }

    private void write(FSDataOutputStream out, Records<K, V> records) throws IOException, InterruptedException {
        IFile.Writer<K, V> writer = new IFile.Writer<>(conf, out, keyClass, valueClass, codec, null);
        records.writeTo(writer);
        writer.close();
    }

    private void combineAll(List<Staging.Staged> staged, JobConf combinerConf, IFile.Writer<K, V> writer)
            throws IOException, InterruptedException {
        try {
            Task.CombineOutputCollector<K, V> collector =
                    new Task.CombineOutputCollector<>(new Counters.Counter(), task.getReporter(), conf);
            collector.setWriter(writer);
            Task.CombinerRunner.<K, V>create(
                            combinerConf,
                            TaskAttemptID.downgrade(task.getReduceId()),
                            new Counters.Counter(),
                            combining.reporter(),
                            null)
                    .combine(merge(staged), collector);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }
}
