// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.chunk.ChunkTask;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.jspecify.annotations.Nullable;

/**
 * Merges staged segments by the job's comparator ({@link SegmentQueue}), and through its combiner where that is
 * wanted. If all do not fit into memory, some of them are merged before, to the local disk. What the combiner counts
 * here is not the job's: how often it runs depends on what was kept. One thread.
 */
final class SegmentMerge<K, V> {

    private static final int RECORDS_BEFORE_PROGRESS = 10_000;

    /** Which part of the heap open segments may take. */
    private static final int HEAP_PARTS = 3;

    private final ShuffleConsumerPlugin.Context<K, V> task;
    private final JobConf conf;
    private final FileSystem local;
    private final Class<K> keyClass;
    private final Class<V> valueClass;
    private final @Nullable CompressionCodec codec;
    private final @Nullable BlockUnpacker blocks;
    private final long room;
    private final ChunkTask combining;
    private boolean combinesAlike = true;
    private boolean combinesInOrder = true;

    SegmentMerge(ShuffleConsumerPlugin.Context<K, V> task) throws IOException {
        this(task, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
    }

    /** @param room bytes of memory that open segments may take */
    @SuppressWarnings("unchecked")
    SegmentMerge(ShuffleConsumerPlugin.Context<K, V> task, long room) throws IOException {
        this.task = task;
        this.conf = task.getJobConf();
        this.local = Staging.localFs(conf);
        this.keyClass = (Class<K>) conf.getMapOutputKeyClass();
        this.valueClass = (Class<V>) conf.getMapOutputValueClass();
        this.codec = task.getCodec();
        this.blocks = BlockUnpacker.of(codec).orElse(null);
        this.room = room;
        this.combining = new ChunkTask(
                TaskAttemptID.downgrade(task.getReduceId()),
                task.getMapOutputFile(),
                task.getReporter(),
                task.getReporter()::setStatus);
    }

    /**
     * All records of the segments, and of what the shuffle has brought, in the order of their keys.
     *
     * @param shuffled sorted records, none or one of them; closed with the result
     * @param spare where segments go that have to be merged before the others, since all do not fit into memory
     */
    RawKeyValueIterator merge(List<Staging.Staged> staged, List<RawKeyValueIterator> shuffled, Staging spare)
            throws IOException, InterruptedException {
        List<IFile.Reader<K, V>> sources = new ArrayList<>();
        for (RawKeyValueIterator records : shuffled) {
            sources.add(new ShuffledSegment<>(records));
        }
        for (Open<K, V> open : fitting(staged, spare)) {
            sources.add(open.reader());
        }
        return queue(sources);
    }

    private SegmentQueue<K, V> queue(List<IFile.Reader<K, V>> sources) {
        return new SegmentQueue<>(sources, conf.getOutputKeyComparator());
    }

    /** A segment that will be read, and what memory it will take, in bytes. */
    private record Open<K, V>(StagedReader<K, V> reader, long memory) {}

    private Open<K, V> open(Staging.Staged segment) throws IOException {
        var reader = new StagedReader<K, V>(conf, local, segment, codec, blocks);
        return new Open<>(reader, reader.memory());
    }

    /** The segments, those that take least memory merged until all fit. */
    private Collection<Open<K, V>> fitting(List<Staging.Staged> staged, Staging spare)
            throws IOException, InterruptedException {
        List<Open<K, V>> all = new ArrayList<>();
        for (Staging.Staged segment : staged) {
            all.add(open(segment));
        }
        all.sort(Comparator.comparingLong(Open::memory));
        ArrayDeque<Open<K, V>> left = new ArrayDeque<>(all);
        long taken = all.stream().mapToLong(Open::memory).sum();
        while (taken > room && left.size() > 1) {
            List<IFile.Reader<K, V>> batch = new ArrayList<>();
            long freed = 0;
            while (!left.isEmpty()
                    && (batch.size() < 2
                            || (taken - freed > room && freed + left.peek().memory() <= room))) {
                freed += left.peek().memory();
                batch.add(left.remove().reader());
            }
            Open<K, V> merged = open(spare.write(out -> write(out, writer -> copy(queue(batch), writer)), true));
            left.add(merged);
            taken += merged.memory() - freed;
        }
        return left;
    }

    private void copy(RawKeyValueIterator records, IFile.Writer<K, V> writer) throws IOException {
        for (long copied = 1; records.next(); copied++) {
            writer.append(records.getKey(), records.getValue());
            if (copied % RECORDS_BEFORE_PROGRESS == 0) {
                task.getReporter().progress();
            }
        }
    }

    /**
     * The merge of the segments through the combiner, as one segment.
     *
     * @param spare another file than the result goes into
     */
    Staging.Staged combine(List<Staging.Staged> staged, Staging spare, Staging into, boolean reusable)
            throws IOException, InterruptedException {
        ReduceWatch watch = ReduceWatch.of(conf);
        Staging.Staged combined = combine(staged, spare, into, reusable, watch.conf(conf));
        combinesAlike &= watch.sawNothing();
        return combined;
    }

    private Staging.Staged combine(
            List<Staging.Staged> staged, Staging spare, Staging into, boolean reusable, JobConf combinerConf)
            throws IOException, InterruptedException {
        try {
            Optional<SparingCombiner<K, V>> sparing = combinesInOrder
                    ? SparingCombiner.of(combinerConf, task.getReduceId(), combining.reporter())
                    : Optional.empty();
            if (sparing.isPresent()) {
                try {
                    return into.write(
                            out -> write(out, writer -> sparing.get().combine(merge(staged, List.of(), spare), writer)),
                            reusable);
                } catch (SparingCombiner.OutOfOrderException e) {
                    combinesInOrder = false;
                }
            }
            return into.write(out -> write(out, writer -> combineAll(staged, spare, combinerConf, writer)), reusable);
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

    private void combineAll(List<Staging.Staged> staged, Staging spare, JobConf combinerConf, IFile.Writer<K, V> writer)
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
                    .combine(merge(staged, List.of(), spare), collector);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }
}
