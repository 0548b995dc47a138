// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.IncoopKeys;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.plan.ReusePlan;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.apache.hadoop.util.Progress;
import org.jspecify.annotations.Nullable;

/**
 * The reduce side of an incremental job. Hadoop's own shuffle runs first: the maps' ordinary outputs are empty, but once it is
 * done every map has succeeded, so every memo file of the plan is published. Then the segments of all chunks are merged, those
 * of this job and those of earlier ones, in the input's order.
 */
public final class IncrementalShuffle<K, V> extends Shuffle<K, V> {

    /** More than Hadoop's own default, since segments are small: fewer passes over the disk. */
    private static final int SMALLEST_MERGE_FACTOR = 64;

    @SuppressWarnings("rawtypes")
    private ShuffleConsumerPlugin.@Nullable Context context;

    private @Nullable MemoSegments<K, V> segments;

    @Override
    @SuppressWarnings("rawtypes")
    public void init(ShuffleConsumerPlugin.Context shuffleContext) {
        context = shuffleContext;
        super.init(shuffleContext);
    }

    @Override
    public RawKeyValueIterator run() throws IOException, InterruptedException {
        RawKeyValueIterator ordinary = super.run();
        if (ordinary.next()) {
            throw new IOException("the maps of an incremental job have ordinary output: a bug");
        }
        ordinary.close();
        return merge();
    }

    @SuppressWarnings("unchecked")
    private RawKeyValueIterator merge() throws IOException, InterruptedException {
        ShuffleConsumerPlugin.Context<K, V> task = context();
        JobConf conf = task.getJobConf();
        ReusePlan plan = readPlan(conf);
        segments = new MemoSegments<>(task, plan);
        List<Merger.Segment<K, V>> input = segments.gather();
        report(task, plan, segments);
        return Merger.merge(
                conf,
                localFs(conf),
                (Class<K>) conf.getMapOutputKeyClass(),
                (Class<V>) conf.getMapOutputValueClass(),
                task.getCodec(),
                input,
                Math.max(SMALLEST_MERGE_FACTOR, conf.getInt(MRJobConfig.IO_SORT_FACTOR, SMALLEST_MERGE_FACTOR)),
                new Path(task.getReduceId().toString()),
                (RawComparator<K>) conf.getOutputKeyComparator(),
                task.getReporter(),
                true,
                null,
                task.getSpilledRecordsCounter(),
                new Progress(),
                TaskType.REDUCE);
    }

    /** Counts what the whole job did; the first reduce task does it for all. */
    private void report(ShuffleConsumerPlugin.Context<K, V> task, ReusePlan plan, MemoSegments<K, V> read) {
        Reporter reporter = task.getReporter();
        add(reporter, IncoopCounter.MEMO_BYTES_READ, read.bytesRead());
        add(reporter, IncoopCounter.SEGMENTS_REPAIRED, read.repaired());
        if (task.getReduceId().getTaskID().getId() != 0) {
            return;
        }
        int total = plan.sources().size();
        long reused = plan.reusedChunks();
        add(reporter, IncoopCounter.CHUNKS_TOTAL, total);
        add(reporter, IncoopCounter.CHUNKS_REUSED, reused);
        add(reporter, IncoopCounter.CHUNKS_COMPUTED, total - reused);
        for (CounterValue counter : read.reusedCounters()) {
            reporter.incrCounter(counter.group(), counter.name(), counter.value());
        }
    }

    private static void add(Reporter reporter, IncoopCounter counter, long value) {
        reporter.incrCounter(IncoopCounter.GROUP, counter.name(), value);
    }

    private static ReusePlan readPlan(JobConf conf) throws IOException {
        Path file = new Path(conf.get(IncoopKeys.PLAN_FILE));
        try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
            return ReusePlan.decode(IOUtils.readFullyToByteArray(in), file.toString());
        }
    }

    static FileSystem localFs(JobConf conf) throws IOException {
        return FileSystem.getLocal(conf).getRaw();
    }

    @Override
    public void close() {
        if (segments != null) {
            segments.close();
        }
        super.close();
    }

    @SuppressWarnings("unchecked")
    private ShuffleConsumerPlugin.Context<K, V> context() {
        if (context == null) {
            throw new IllegalStateException("run before init");
        }
        return context;
    }
}
