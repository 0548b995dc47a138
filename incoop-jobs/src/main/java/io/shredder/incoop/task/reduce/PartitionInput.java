// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.contraction.ContractionTree;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.plan.ReusePlan;
import io.shredder.incoop.task.IncoopCounter;
import io.shredder.incoop.task.MemoReaders;
import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.StagingFolder;
import io.shredder.incoop.task.TaskMemos;
import io.shredder.incoop.task.output.PartKeeper;
import io.shredder.incoop.task.output.ReduceHandOff;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one reduce task needs of the memo store: the part file of an earlier run if nothing below the root of the
 * contraction tree has changed since, else its partition of all chunks. One thread.
 */
final class PartitionInput<K, V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionInput.class);

    /** Of the shuffle and of the formats; Hadoop's other counters take no room. */
    private static final int FRAMEWORKS_COUNTERS = 12;

    private final ShuffleConsumerPlugin.Context<K, V> task;
    private final JobConf conf;
    private final ReusePlan plan;
    private final int partition;
    private final MemoStore store;
    private final ContractionTree planned;
    private final Staging staging;
    private final MemoReaders memos;
    private final LeafSegments leaves;
    private final NodeKeeper keeper;
    private final SegmentMerge<K, V> merge;
    private final Contraction<K, V> contraction;
    private final Map<IncoopCounter, Long> counted = new EnumMap<>(IncoopCounter.class);
    private boolean partReused;

    PartitionInput(ShuffleConsumerPlugin.Context<K, V> task, ReusePlan plan) throws IOException {
        this.task = task;
        this.conf = task.getJobConf();
        this.plan = plan;
        this.partition = task.getReduceId().getTaskID().getId();
        this.store = TaskMemos.open(conf, new Path(plan.memoRoot()), plan.identity());
        this.planned = ContractionTree.of(
                plan.sources().stream().map(ReusePlan.Source::leafId).toList());
        StagingFolder stagings = new StagingFolder(task);
        this.staging = stagings.create();
        this.memos = new MemoReaders(store);
        this.leaves = new LeafSegments(task, plan, memos);
        this.keeper = new NodeKeeper(store, plan.job(), task.getReduceId());
        this.merge = new SegmentMerge<>(task);
        this.contraction =
                new Contraction<>(plan, partition, new Contraction.Parts<>(leaves, memos, keeper, merge), stagings);
    }

    /** Brings what earlier runs have left; needs nothing of this run's maps. */
    void bringKept() throws IOException, InterruptedException {
        replayCounters();
        partReused = bringPart();
        if (partReused) {
            count(IncoopCounter.PARTS_REUSED, 1);
        } else {
            contraction.bringKept(planned, staging);
        }
    }

    /**
     * The reducer's input, in order. Once, after {@link #bringKept} and when every map has succeeded.
     *
     * @param shuffled the output of splits that were mapped as in a plain run; given back if the part file need not be
     *     computed
     */
    RawKeyValueIterator open(RawKeyValueIterator shuffled) throws IOException, InterruptedException {
        try (memos;
                leaves;
                keeper) {
            return partReused ? shuffled : merged(shuffled);
        }
    }

    private RawKeyValueIterator merged(RawKeyValueIterator shuffled) throws IOException, InterruptedException {
        ContractionTree tree = ContractionTree.of(leaves.ids());
        List<Staging.Staged> segments = contraction.gather(tree, staging);
        Optional<Fingerprint> partKey = partKey(tree);
        keeper.publish();
        count(IncoopCounter.CONTRACTION_NODES_COMPUTED, contraction.computed());
        count(IncoopCounter.CONTRACTION_NODES_REUSED, contraction.reused());
        count(IncoopCounter.SEGMENTS_REPAIRED, leaves.repaired());
        boolean chunksOnly = plan.plainFiles() == 0;
        if (chunksOnly && partKey.isPresent() && segments.stream().allMatch(Staging.Staged::reusable)) {
            ReduceHandOff.compute(conf, partKey.get());
        }
        return merge.merge(segments, chunksOnly ? List.of() : List.of(shuffled), staging);
    }

    private Optional<Fingerprint> partKey(ContractionTree tree) {
        return plan.reduce().reduceIdentity().flatMap(identity -> tree.partKey(partition, identity));
    }

    /** Lays the part file of an earlier run onto the local disk, checked on the way; says whether there is one. */
    private boolean bringPart() throws IOException, InterruptedException {
        Optional<Fingerprint> partKey = partKey(planned);
        Optional<MemoRef> ref = partKey.flatMap(key -> plan.reduce().parts().find(key));
        if (partKey.isEmpty() || ref.isEmpty()) {
            return false;
        }
        try {
            MemoEntry entry = memos.entry(MemoKind.PARTS, ref.get(), partKey.get(), 1);
            Staging.Staged bytes = memos.copy(ref.get(), entry.segments().get(0), true, staging);
            ReduceHandOff.reuse(conf, new ReduceHandOff.KeptPart(staging, bytes, entry.counters()));
            return true;
        } catch (IOException e) {
            memos.giveUp(ref.get(), e);
            LOG.warn("incoop: reducing again, the kept part file can't be used: {}", e.getMessage());
            return false;
        }
    }

    /** Counts what the whole job did; the first reduce task does it for all. */
    private void countJob() {
        count(IncoopCounter.MEMO_BYTES_READ, memos.bytesRead());
        if (partition != 0) {
            return;
        }
        int total = plan.sources().size();
        long reused = plan.reusedChunks() + leaves.standing();
        count(IncoopCounter.CHUNKS_TOTAL, total);
        count(IncoopCounter.CHUNKS_REUSED, reused);
        count(IncoopCounter.CHUNKS_COMPUTED, total - reused);
        count(IncoopCounter.PLAIN_FILES, plan.plainFiles());
        count(IncoopCounter.CONTRACTION_DEPTH, plan.reduce().combines() ? planned.depth() : 0);
    }

    /** What the maps that did not run would have counted; the first reduce task does it for all. */
    private void replayCounters() {
        if (partition == 0) {
            for (CounterValue counter : plan.reduce().reusedCounters()) {
                task.getReporter().incrCounter(counter.group(), counter.name(), counter.value());
            }
        }
    }

    private void count(IncoopCounter counter, long value) {
        counted.merge(counter, value, Long::sum);
    }

    /** A job may have a number of counters; ours take no room that its own need. */
    private void publishCounts() {
        int own = leaves.counterNames().size() + ReduceHandOff.counters(conf);
        if (own + FRAMEWORKS_COUNTERS + IncoopCounter.values().length > Limits.getCountersMax()) {
            LOG.info(
                    "incoop: the job has {} counters of its own, so the group {} is left out",
                    own,
                    IncoopCounter.GROUP);
            return;
        }
        Reporter reporter = task.getReporter();
        counted.forEach((counter, value) -> reporter.incrCounter(IncoopCounter.GROUP, counter.name(), value));
    }

    /** To be called in the place of {@link #close} if the task fails: keeps nothing. */
    void abandon() {
        try (staging;
                memos;
                leaves;
                keeper) {
            // Nothing of it is kept.
        } catch (IOException e) {
            LOG.debug("not closed", e);
        }
    }

    /** To be called when the reducer has run and its part file is written, though not yet committed: keeps it. */
    @Override
    public void close() {
        countJob();
        publishCounts();
        ReduceHandOff handOff = ReduceHandOff.find(conf);
        if (handOff != null) {
            PartKeeper parts = new PartKeeper(conf, store, IncoopKeys.partMaxBytes(conf));
            String name = MemoKind.PARTS.fileName(plan.job(), partition);
            handOff.keepable().ifPresent(part -> parts.keep(part, name, task.getReduceId()));
        }
        staging.close();
    }
}
