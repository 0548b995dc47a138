// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.IncoopKeys;
import io.shredder.incoop.Originals;
import io.shredder.incoop.contraction.ContractionTree;
import io.shredder.incoop.identity.JobIdentity;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
                            + " job's id) or read files of its machine, so no output can stand for the same bytes elsewhere");
        }
        String jobId = String.valueOf(job.getJobID());
        Recheck recheck = Recheck.of(conf);
        Function<InputChunk, Optional<MemoCatalog.Known>> kept = chunk -> recheck.picks(chunk.fingerprint())
                ? Optional.empty()
                : catalog.find(MemoKind.LEAVES, chunk.fingerprint());
        List<MemoCatalog.Known> reused = new ArrayList<>();
        List<InputChunk> changed = new ArrayList<>();
        for (InputChunk chunk : chunks) {
            kept.apply(chunk).ifPresentOrElse(reused::add, () -> changed.add(chunk));
        }
        opened.refuseIfChanged();
        List<ChunkGroup> groups = Grouping.of(changed, jobId, taskBytes, input);
        List<ReusePlan.Source> sources = sources(chunks, kept, groups);
        ContractionTree tree = ContractionTree.of(
                sources.stream().map(ReusePlan.Source::leafId).toList());
        ReducePlanner reduces = new ReducePlanner(job, catalog, tree);
        ReusePlan plan = new ReusePlan(
                store.root().toString(),
                identity.fingerprint(),
                jobId,
                sources,
                cut.plain().size(),
                reduces.plan(reused, groups.isEmpty() && cut.plain().isEmpty()));
        PlanFile.publish(conf, plan.encode(), plan.memoRoot(), plan.identity());
        Map<String, String> before = Originals.before(conf);
        QuickJob.consider(conf, groups, cut.plainBytes());
        Originals.keep(before, conf);
        report(plan, groups.size(), cut);
        RunLedger.keep(conf, job, plan, cut.plainBytes(), reduces.files());
        return new JobPlan(plan.memoRoot(), plan.identity(), groups, cut.plainSplits());
    }

    /** Where each chunk's output is, or will be: the groups hold the chunks that nobody has computed, in order. */
    private static List<ReusePlan.Source> sources(
            List<InputChunk> chunks, Function<InputChunk, Optional<MemoCatalog.Known>> kept, List<ChunkGroup> groups) {
        Deque<ReusePlan.Source> computed = new ArrayDeque<>();
        for (ChunkGroup group : groups) {
            for (int i = 0; i < group.chunks().size(); i++) {
                computed.add(new ReusePlan.Source(
                        group.chunks().get(i),
                        group.memoFile(),
                        i,
                        false,
                        group.chunks().get(i).fingerprint()));
            }
        }
        List<ReusePlan.Source> sources = new ArrayList<>(chunks.size());
        for (InputChunk chunk : chunks) {
            sources.add(kept.apply(chunk)
                    .map(known -> new ReusePlan.Source(
                            chunk, known.ref().file(), known.ref().ordinal(), true, known.leafId()))
                    .orElseGet(computed::remove));
        }
        return sources;
    }

    private static void report(ReusePlan plan, int tasks, CutInput cut) {
        int total = plan.sources().size();
        long reused = plan.reusedChunks();
        LOG.info("incoop: {} chunks, {} reused, {} to compute in {} map tasks", total, reused, total - reused, tasks);
        if (!cut.plain().isEmpty()) {
            LOG.info("incoop: {}", cut.report());
        }
    }
}
