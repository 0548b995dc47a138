// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.PlainRunException;
import io.shredder.incoop.contraction.ContractionTree;
import io.shredder.incoop.identity.JobIdentity;
import io.shredder.incoop.input.CutInput;
import io.shredder.incoop.input.Input;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.input.OwnSplit;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides at submission what a job computes. The plan goes to a file in the job's submission
 * folder, for the reduce tasks; the groups of chunks to compute become map tasks.
 */
public final class JobPlanner {

    private static final Logger LOG = LoggerFactory.getLogger(JobPlanner.class);
    /** How many times as many bytes a map task takes that looks at what is kept. */
    private static final int LOOKED_AT_PER_COMPUTED = 4;

    private final JobContext job;
    private final Configuration conf;

    public JobPlanner(JobContext job) {
        this.job = job;
        this.conf = job.getConfiguration();
    }

    /**
     * Makes the plan and publishes it.
     *
     * @param splits the job's own
     * @return what the map tasks have to compute
     * @throws PlainRunException if the job can't be reused safely; nothing is left behind then
     */
    public JobPlan plan(List<OwnSplit> splits) throws IOException, ClassNotFoundException, PlainRunException {
        long taskBytes = IncoopKeys.mapTaskBytes(conf);
        Input input = new Input(splits);
        CutInput cut = input.cut(conf);
        List<InputChunk> chunks = cut.chunks();
        JobIdentity identity = JobIdentity.of(job);
        JobStore opened = JobStore.open(job, identity);
        MemoStore store = opened.store();
        MemoCatalog catalog = opened.catalog();
        if (catalog.isUseless(MemoKind.LEAVES)) {
            throw new PlainRunException(
                    "in its last run every map asked where its chunk lies (record offsets, its file, its"
                            + " job's id) or read what differs from task to task, so no output can stand for the same bytes elsewhere");
        }
        String jobId = String.valueOf(job.getJobID());
        KeptLeaves kept = KeptLeaves.of(chunks, catalog, Recheck.of(conf), JobStore.isOnCluster(conf));
        opened.refuseIfChanged();
        List<ChunkGroup> computed = Grouping.of(kept.changed(), jobId, taskBytes, input);
        List<ChunkGroup> lookedAt = lookedAt(kept, jobId, taskBytes, input, computed.size());
        List<ReusePlan.Source> sources = kept.sources(computed, lookedAt);
        ContractionTree tree = ContractionTree.of(
                sources.stream().map(ReusePlan.Source::leafId).toList());
        ReducePlanner reduces = new ReducePlanner(job, catalog, tree);
        ReusePlan plan = new ReusePlan(
                store.root().toString(),
                identity.fingerprint(),
                jobId,
                sources,
                cut.plain().size(),
                reduces.plan(
                        kept.reused(),
                        kept.reused().size() == chunks.size() && cut.plain().isEmpty()));
        PlanFile.publish(conf, plan.encode(), plan.memoRoot(), plan.identity());
        Map<String, String> before = Originals.before(conf);
        QuickJob.consider(conf, computed, cut.plainBytes());
        Originals.keep(before, conf);
        report(plan, computed, lookedAt, cut);
        RunLedger.keep(conf, job, plan, cut.plainBytes(), reduces.files());
        List<ChunkGroup> groups = new ArrayList<>(computed);
        groups.addAll(lookedAt);
        return new JobPlan(plan.memoRoot(), plan.identity(), groups, cut.plainSplits());
    }

    /** Looking takes next to nothing, but what does not stand is computed by the task that has looked. */
    private static List<ChunkGroup> lookedAt(KeptLeaves kept, String jobId, long taskBytes, Input input, int first)
            throws IOException {
        Map<InputChunk, List<MemoRef>> refs = new HashMap<>();
        List<InputChunk> chunks = new ArrayList<>();
        for (KeptLeaves.Leaf leaf : kept.onNodes()) {
            chunks.add(leaf.chunk());
            refs.put(
                    leaf.chunk(),
                    leaf.onNodes().stream().map(MemoCatalog.Known::ref).toList());
        }
        long bytes =
                taskBytes > Long.MAX_VALUE / LOOKED_AT_PER_COMPUTED ? taskBytes : taskBytes * LOOKED_AT_PER_COMPUTED;
        return Grouping.of(chunks, jobId, bytes, input, first).stream()
                .map(group -> group.with(chunk -> refs.getOrDefault(chunk, List.of())))
                .toList();
    }

    private static void report(ReusePlan plan, List<ChunkGroup> computed, List<ChunkGroup> lookedAt, CutInput cut) {
        LOG.info(
                "incoop: {} chunks, {} reused, {} to compute in {} map tasks",
                plan.sources().size(),
                plan.reusedChunks(),
                chunks(computed),
                computed.size());
        if (!lookedAt.isEmpty()) {
            LOG.info(
                    "incoop: {} chunks are reused if the files of nodes that they were made of are as they were: {} map"
                            + " tasks look, and compute the others",
                    chunks(lookedAt),
                    lookedAt.size());
        }
        if (!cut.plain().isEmpty()) {
            LOG.info("incoop: {}", cut.report());
        }
    }

    private static int chunks(List<ChunkGroup> groups) {
        return groups.stream().mapToInt(group -> group.chunks().size()).sum();
    }
}
