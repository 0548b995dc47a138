// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.Reuse;
import io.shredder.incoop.plan.ReusePlan;
import io.shredder.incoop.task.MemoReaders;
import io.shredder.incoop.task.PlainRunNeededException;
import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.chunk.ChunkOutput;
import io.shredder.incoop.task.chunk.ChunkRunner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reduce partition of single chunks, from the memo store. What is damaged or gone, or was made by another JVM, is
 * computed again here, by the job's mapper, and later jobs do not try it. That goes on for as many bytes as a few map
 * tasks take: a plain run would map more of them sooner. One thread.
 */
final class LeafSegments implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeafSegments.class);

    /** In bytes that a map task takes. */
    private static final int MOST_REPAIRED_TASKS = 4;

    private final ReusePlan plan;
    private final MemoReaders memos;
    private final ChunkRunner repairs;
    private final Reporter alive;
    private final long mostRepairedBytes;
    private final int partition;
    private final int partitions;
    private final Map<Integer, ReusePlan.KeptLeaf> standing = new HashMap<>();
    private final Set<String> counterNames = new HashSet<>();
    private int repaired;
    private long repairedBytes;

    LeafSegments(ShuffleConsumerPlugin.Context<?, ?> task, ReusePlan plan, MemoReaders memos) {
        JobConf conf = task.getJobConf();
        this.plan = plan;
        this.memos = memos;
        this.partition = task.getReduceId().getTaskID().getId();
        this.partitions = conf.getNumReduceTasks();
        this.alive = task.getReporter();
        long taskBytes = IncoopKeys.mapTaskBytes(conf);
        this.mostRepairedBytes =
                taskBytes > Long.MAX_VALUE / MOST_REPAIRED_TASKS ? taskBytes : MOST_REPAIRED_TASKS * taskBytes;
        this.repairs = new ChunkRunner(
                conf,
                TaskAttemptID.downgrade(task.getReduceId()),
                task.getMapOutputFile(),
                task.getReporter(),
                task.getReporter()::setStatus);
    }

    /**
     * What the chunks are known by in the contraction tree, now that every map has succeeded. What can't be kept, since
     * it is good for this job only or can't be read, has an id that no other job will meet.
     */
    List<Fingerprint> ids() throws IOException {
        List<Fingerprint> ids = new ArrayList<>(plan.sources().size());
        for (int i = 0; i < plan.sources().size(); i++) {
            ReusePlan.Source source = plan.sources().get(i);
            ids.add(source.reused() ? source.leafId() : computedId(i).orElse(onceOnly(i)));
            alive.progress();
        }
        return ids;
    }

    private Optional<Fingerprint> computedId(int index) throws IOException {
        try {
            MemoEntry entry = entry(index, planned(index));
            entry.counters().forEach(counter -> counterNames.add(counter.group() + '\0' + counter.name()));
            if (entry.reuse() == Reuse.STANDS) {
                standing.put(index, standing(index, entry));
                return Optional.of(entry.leafId());
            }
            return entry.reuse() == Reuse.REUSABLE ? Optional.of(entry.leafId()) : Optional.empty();
        } catch (IOException e) {
            // It is computed again when it is brought, and a warning given.
            memos.giveUp(planned(index), e);
            return Optional.empty();
        }
    }

    private MemoRef planned(int index) {
        ReusePlan.Source source = plan.sources().get(index);
        return new MemoRef(source.memoFile(), source.ordinal());
    }

    private MemoEntry entry(int index, MemoRef ref) throws IOException {
        return memos.entry(
                MemoKind.LEAVES, ref, plan.sources().get(index).chunk().fingerprint(), partitions);
    }

    /** Which kept output it is that a map task has found to stand. */
    private ReusePlan.KeptLeaf standing(int index, MemoEntry found) throws IOException {
        return plan.sources().get(index).kept().stream()
                .filter(kept -> kept.leafId().equals(found.leafId()))
                .findFirst()
                .orElseThrow(
                        () -> MemoReaders.notAsPlanned(planned(index), "stands for a chunk without the job's plan"));
    }

    /** Whether a chunk's output is an earlier job's; after {@link #ids}. */
    boolean isKept(int index) {
        return plan.sources().get(index).reused() || standing.containsKey(index);
    }

    /** Chunks whose output is an earlier job's, since a map task has found that it stands; after {@link #ids}. */
    int standing() {
        return standing.size();
    }

    private Fingerprint onceOnly(int index) {
        return Fingerprint.ofData(ByteBuffer.wrap((plan.job() + " chunk " + index).getBytes(StandardCharsets.UTF_8)));
    }

    /** Lays the output of chunk {@code index} of the plan into a staging file; of a computed one after {@link #ids}. */
    Staging.Staged bring(int index, Staging into) throws IOException, InterruptedException {
        ReusePlan.KeptLeaf stands = standing.get(index);
        MemoRef ref = stands == null ? planned(index) : stands.ref();
        alive.progress();
        try {
            MemoEntry entry = entry(index, ref);
            if (entry.reuse() == Reuse.STANDS) {
                throw MemoReaders.notAsPlanned(ref, "holds no output");
            }
            return memos.copy(ref, entry.segments().get(partition), entry.reuse() == Reuse.REUSABLE, into);
        } catch (IOException e) {
            memos.giveUp(ref, e);
            LOG.warn("incoop: computing a chunk again, its memo can't be used: {}", e.getMessage());
            countRepair(index, e);
        }
        return repair(index, into);
    }

    private void countRepair(int index, IOException why) throws PlainRunNeededException {
        repaired++;
        repairedBytes += plan.sources().get(index).chunk().length();
        if (repairedBytes > mostRepairedBytes) {
            throw new PlainRunNeededException("of " + plan.sources().size() + " chunks the kept output of " + repaired
                    + " can't be used in partition " + partition + ": " + why.getMessage());
        }
    }

    private Staging.Staged repair(int index, Staging into) throws IOException, InterruptedException {
        ReusePlan.Source source = plan.sources().get(index);
        ReusePlan.KeptLeaf stands = standing.get(index);
        Fingerprint expected = stands == null ? source.leafId() : stands.leafId();
        try {
            ChunkOutput output = repairs.run(source.chunk());
            boolean alike = output.reuse() == Reuse.REUSABLE
                    && isKept(index)
                    && MemoEntry.leafId(source.chunk().fingerprint(), output.dependencies())
                            .equals(expected);
            return into.write(out -> out.write(output.segments().get(partition)), alike);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }

    /** The names of the counters that maps have used, as far as they were looked at. */
    Set<String> counterNames() {
        plan.reduce().reusedCounters().forEach(counter -> counterNames.add(counter.group() + '\0' + counter.name()));
        return counterNames;
    }

    /** Chunks that had to be computed again. */
    int repaired() {
        return repaired;
    }

    @Override
    public void close() throws IOException {
        repairs.close();
    }
}
