// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.PlainRunException;
import io.shredder.incoop.format.SplitReading;
import io.shredder.incoop.format.UnservedFormatException;
import io.shredder.incoop.identity.JobIdentity;
import io.shredder.incoop.identity.ReduceIdentity;
import io.shredder.incoop.input.CutInput;
import io.shredder.incoop.input.Input;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.input.InputFormats;
import io.shredder.incoop.input.InputTag;
import io.shredder.incoop.input.OwnSplit;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.RunRecord;
import io.shredder.incoop.world.DependencyStates;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides at submission which splits a job without reducers maps: those of a plain run whose part files no earlier run
 * has kept. The plan goes to a file in the job's submission folder, for the tasks that map.
 */
public final class MapOnlyPlanner {

    private static final Logger LOG = LoggerFactory.getLogger(MapOnlyPlanner.class);

    private final JobContext job;
    private final Configuration conf;

    public MapOnlyPlanner(JobContext job) {
        this.job = job;
        this.conf = job.getConfiguration();
    }

    /**
     * A split of the job's own.
     *
     * @param length in bytes, by which the job's submission sorts
     */
    public record Measured(OwnSplit split, long length) {}

    /**
     * Makes the plan and publishes it.
     *
     * @param splits the job's own, in the order in which its input format gives them
     * @throws PlainRunException if the job can't be reused safely; nothing is left behind then
     */
    public MapOnlyPlan plan(List<Measured> splits) throws IOException, ClassNotFoundException, PlainRunException {
        long taskBytes = IncoopKeys.mapTaskBytes(conf);
        refuseUnknownReader();
        // As JobSubmitter does it: the largest first, those of the same length as they are.
        List<OwnSplit> ordered = splits.stream()
                .sorted(Comparator.comparingLong(Measured::length).reversed())
                .map(Measured::split)
                .toList();
        Map<String, String> states = states(ordered);
        CutInput cut = new Input(ordered).cut(conf);
        Map<String, List<InputChunk>> chunks = cut.chunks().stream().collect(Collectors.groupingBy(InputChunk::path));
        JobIdentity identity = JobIdentity.of(job);
        SplitIds ids = new SplitIds(ReduceIdentity.ofMapOnly(job));
        JobStore opened = JobStore.open(job, identity);
        refuseUseless(opened.catalog());
        SplitSorting sorting = new SplitSorting(opened.catalog(), taskBytes);
        for (int number = 0; number < ordered.size(); number++) {
            OwnSplit split = ordered.get(number);
            sorting.add(number, split, known(split, chunks, states, ids));
        }
        opened.refuseIfChanged();
        String memoRoot = opened.store().root().toString();
        SplitPlan plan =
                new SplitPlan(memoRoot, identity.fingerprint(), String.valueOf(job.getJobID()), sorting.computed());
        PlanFile.publish(conf, plan.encode(), memoRoot, plan.identity());
        Map<String, String> before = Originals.before(conf);
        QuickJob.consider(conf, List.of(), sorting.computedBytes());
        Originals.keep(before, conf);
        report(sorting, cut);
        RunLedger.keep(conf, plan.memoRoot(), plan.job(), record(plan, sorting, cut));
        return new MapOnlyPlan(memoRoot, plan.identity(), sorting.computedSplits(), sorting.kept());
    }

    private void refuseUnknownReader() throws ClassNotFoundException, PlainRunException {
        try {
            if (InputFormats.records(InputTag.NONE, conf).splitReading() == SplitReading.UNKNOWN) {
                throw new PlainRunException(
                        "it has no reduce phase, and what the reader of its input format reads beside"
                                + " its split is not known");
            }
        } catch (UnservedFormatException e) {
            throw new PlainRunException(String.valueOf(e.getMessage()));
        }
    }

    private static void refuseUseless(MemoCatalog catalog) throws PlainRunException {
        if (catalog.isUseless(MemoKind.PARTS)) {
            throw new PlainRunException(
                    "in its last run every map asked where its split lies (record offsets, its file,"
                            + " its job's id) or read files of its machine, so no output can stand for the same bytes elsewhere");
        }
    }

    /** How each file stands before its manifest is looked up. */
    private Map<String, String> states(List<OwnSplit> splits) throws IOException {
        Map<String, String> states = new HashMap<>();
        for (OwnSplit split : splits) {
            if (split.part().isPresent()) {
                FileSplit part = split.part().get();
                String path = part.getPath().toString();
                if (!states.containsKey(path)) {
                    states.put(path, DependencyStates.hdfs(part.getPath(), conf));
                }
            }
        }
        return states;
    }

    private static Optional<PlannedSplit.KnownBytes> known(
            OwnSplit split, Map<String, List<InputChunk>> chunks, Map<String, String> states, SplitIds ids) {
        return split.part().flatMap(part -> {
            String path = part.getPath().toString();
            return ids.of(part, chunks.getOrDefault(path, List.of()), states.getOrDefault(path, ""));
        });
    }

    private RunRecord record(SplitPlan plan, SplitSorting sorting, CutInput cut) {
        Set<String> files = new HashSet<>(sorting.keptFiles());
        plan.splits().forEach(split -> files.add(MemoKind.PARTS.fileName(plan.job(), split.number())));
        return new RunRecord(
                job.getJobName(),
                plan.identity().toString(),
                sorting.total(),
                sorting.total() - plan.splits().size(),
                sorting.computedBytes() + sorting.keptBytes(),
                sorting.keptBytes(),
                cut.plain().size(),
                files);
    }

    private static void report(SplitSorting sorting, CutInput cut) {
        int computed = sorting.computed().size();
        LOG.info(
                "incoop: {} splits without reducers, {} reused, {} to map",
                sorting.total(),
                sorting.total() - computed,
                computed);
        if (!cut.plain().isEmpty()) {
            LOG.info("incoop: {}", cut.report());
        }
    }
}
