// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoReader;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.SegmentRef;
import io.shredder.incoop.plan.ReusePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reduce partition of all chunks of a plan, brought to the local disk and checked on the way. What is damaged or gone is
 * computed again here, by the job's mapper, and marked so that later jobs do not try it. One thread.
 */
final class MemoSegments<K, V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MemoSegments.class);

    private final ShuffleConsumerPlugin.Context<K, V> task;
    private final JobConf conf;
    private final ReusePlan plan;
    private final int partition;
    private final MemoStore store;
    private final FileSystem local;
    private final Path localFile;
    private final List<CounterValue> reusedCounters = new ArrayList<>();
    private long bytesRead;
    private int repaired;

    private String openName = "";
    private @Nullable MemoReader openReader;

    MemoSegments(ShuffleConsumerPlugin.Context<K, V> task, ReusePlan plan) throws IOException {
        this.task = task;
        this.conf = task.getJobConf();
        this.plan = plan;
        this.partition = task.getReduceId().getTaskID().getId();
        this.store = new MemoStore(conf, new Path(plan.memoRoot()), plan.identity());
        this.local = IncrementalShuffle.localFs(conf);
        this.localFile = task.getLocalDirAllocator().getLocalPathForWrite("incoop-" + task.getReduceId(), conf);
    }

    /** Brings the segments here; the result reads them from the local disk. */
    List<Merger.Segment<K, V>> gather() throws IOException, InterruptedException {
        List<Merger.Segment<K, V>> segments = new ArrayList<>();
        try (ChunkRunner repairs = repairs();
                FSDataOutputStream out = local.create(localFile, true)) {
            for (ReusePlan.Source source : plan.sources()) {
                byte[] segment = read(source, repairs);
                segments.add(new Merger.Segment<>(
                        conf, local, localFile, out.getPos(), segment.length, task.getCodec(), true));
                out.write(segment);
                task.getReporter().progress();
            }
        } finally {
            closeReader();
        }
        return segments;
    }

    /** Bytes read from the memo store and found whole. */
    long bytesRead() {
        return bytesRead;
    }

    /** Segments that had to be computed again. */
    int repaired() {
        return repaired;
    }

    /** What the maps that did not run would have counted. */
    List<CounterValue> reusedCounters() {
        return reusedCounters;
    }

    private byte[] read(ReusePlan.Source source, ChunkRunner repairs) throws IOException, InterruptedException {
        try {
            MemoReader reader = reader(source.memoFile());
            MemoEntry entry = entry(reader, source);
            SegmentRef ref = entry.segments().get(partition);
            byte[] segment = reader.read(ref);
            bytesRead += segment.length;
            keepCounters(source, entry.counters());
            return segment;
        } catch (IOException e) {
            return repair(source, repairs, e);
        }
    }

    private MemoEntry entry(MemoReader reader, ReusePlan.Source source) throws IOException {
        if (reader.partitions() != conf.getNumReduceTasks()
                || source.ordinal() >= reader.entries().size()) {
            throw new IOException(source.memoFile() + " has no entry " + source.ordinal() + " for this job");
        }
        MemoEntry entry = reader.entries().get(source.ordinal());
        if (!entry.fingerprint().equals(source.chunk().fingerprint())) {
            throw new IOException(source.memoFile() + ": entry " + source.ordinal() + " is another chunk's");
        }
        return entry;
    }

    private byte[] repair(ReusePlan.Source source, ChunkRunner repairs, IOException why)
            throws IOException, InterruptedException {
        LOG.warn("incoop: computing a chunk again, its memo can't be used: {}", why.getMessage());
        try {
            ChunkOutput output = repairs.run(source.chunk());
            keepCounters(source, output.counters());
            repaired++;
            mark(source);
            return output.segments().get(partition);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }

    /** For later jobs; this one is served, so a store that can't be written to is no reason to fail. */
    private void mark(ReusePlan.Source source) {
        try {
            store.markBad(source.memoFile(), source.ordinal());
        } catch (IOException e) {
            LOG.warn(
                    "incoop: entry {} of {} can't be marked as damaged: {}",
                    source.ordinal(),
                    source.memoFile(),
                    e.getMessage());
        }
    }

    private void keepCounters(ReusePlan.Source source, List<CounterValue> counters) {
        if (source.reused() && partition == 0) {
            reusedCounters.addAll(counters);
        }
    }

    private ChunkRunner repairs() {
        return new ChunkRunner(
                conf,
                TaskAttemptID.downgrade(task.getReduceId()),
                task.getMapOutputFile(),
                null,
                task.getReporter(),
                task.getReporter()::setStatus);
    }

    private MemoReader reader(String name) throws IOException {
        if (openReader == null || !openName.equals(name)) {
            closeReader();
            openReader = store.open(name);
            openName = name;
        }
        return openReader;
    }

    private void closeReader() throws IOException {
        if (openReader != null) {
            openReader.close();
            openReader = null;
        }
    }

    /** Frees the local disk. */
    @Override
    public void close() {
        try {
            local.delete(localFile, false);
        } catch (IOException e) {
            LOG.warn("incoop: {} is left behind: {}", localFile, e.getMessage());
        }
    }
}
