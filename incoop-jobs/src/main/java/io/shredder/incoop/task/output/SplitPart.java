// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.plan.PlannedSplit;
import io.shredder.incoop.plan.SplitPlan;
import io.shredder.incoop.task.IncoopCounter;
import io.shredder.incoop.task.TaskMemos;
import io.shredder.incoop.task.split.SplitWatch;
import io.shredder.incoop.task.split.SplitWorld;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part file of a split that a job without reducers maps, and whether it is kept. Used by the task's thread. */
final class SplitPart {

    private static final Logger LOG = LoggerFactory.getLogger(SplitPart.class);

    /** Of the formats and the file systems; Hadoop's other counters take no room. */
    private static final int FRAMEWORKS_COUNTERS = 12;

    private final JobConf conf;
    private final TaskAttemptID attempt;
    private final SplitPlan plan;
    private final PlannedSplit planned;
    private final SplitWorld world;
    private final KeptParts.CounterOf counters;

    private SplitPart(
            JobConf conf, TaskAttemptID attempt, SplitPlan plan, SplitWorld world, KeptParts.CounterOf counters) {
        this.conf = conf;
        this.attempt = attempt;
        this.plan = plan;
        this.planned = plan.splits().get(attempt.getTaskID().getId());
        this.world = world;
        this.counters = counters;
    }

    /**
     * That of a task that is about to write it.
     *
     * @param counters the task's
     * @throws IOException if the job's plan can't be read, or is about another split
     */
    static SplitPart of(Configuration task, TaskAttemptID attempt, KeptParts.CounterOf counters) throws IOException {
        SplitWorld world = SplitWatch.of(task)
                .world()
                .orElseThrow(() -> new IllegalStateException("a job with reducers has no part files of splits"));
        SplitPlan plan = SplitPlan.ofTask(task);
        int number = attempt.getTaskID().getId();
        if (number >= plan.splits().size() || !plan.splits().get(number).part().equals(world.part())) {
            throw new IOException("task " + number + " has another split than the job's plan says: a bug");
        }
        note(world, TaskCounter.MAP_INPUT_RECORDS, counters);
        note(world, TaskCounter.MAP_OUTPUT_RECORDS, counters);
        note(world, FileInputFormatCounter.BYTES_READ, counters);
        return new SplitPart(new JobConf(task), attempt, plan, world, counters);
    }

    private static void note(SplitWorld world, Enum<?> counter, KeptParts.CounterOf counters) {
        String group = counter.getDeclaringClass().getName();
        world.counters().noteFromZero(group, counter.name(), counters.of(group, counter.name()));
    }

    /** That of the split's map task in a plain run, which names the part file. */
    int number() {
        return planned.number();
    }

    /**
     * Keeps the part file, if nothing speaks against it. To be called when it is written and not yet committed. What
     * that fails of costs a warning and no more.
     *
     * @param folder the attempt's, in which nothing but the part file may lie
     */
    void keep(Path folder) {
        Optional<SplitWorld.Made> made = world.made();
        if (made.isEmpty()) {
            return;
        }
        publish(
                world.counters().size(),
                Map.of(IncoopCounter.SPLITS_TOTAL, 1L, IncoopCounter.SPLITS_COMPUTED, 1L),
                counters);
        if (planned.known().isPresent()) {
            long before = written(folder);
            keep(folder, made.get(), planned.known().get());
            // The framework is about to take all that is written while the part file is closed for the part file's.
            counters.of(FileOutputFormatCounter.class.getName(), FileOutputFormatCounter.BYTES_WRITTEN.name())
                    .increment(before - written(folder));
        }
    }

    private void keep(Path folder, SplitWorld.Made made, PlannedSplit.KnownBytes known) {
        try {
            MemoStore store = TaskMemos.open(conf, new Path(plan.memoRoot()), plan.identity());
            PartKeeper keeper = new PartKeeper(conf, store, IncoopKeys.partMaxBytes(conf));
            String name = MemoKind.PARTS.fileName(plan.job(), planned.number());
            if (made.asked()) {
                keeper.keepAsked(known.key(), name, attempt);
            } else if (SplitBytes.areAsPromised(known, conf)) {
                keeper.keep(
                        new ReduceHandOff.Keepable(
                                known.key(), world.counters().counted(), made.dependencies(), folder),
                        name,
                        attempt);
            } else {
                LOG.warn(
                        "incoop: {} holds other bytes than when the job was submitted, or than its manifest says:"
                                + " not kept for reuse",
                        planned.part().path());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("incoop: the part file is not kept: {}", e.getMessage());
        }
    }

    /** Bytes that this thread has written to the output's kind of file system. */
    @SuppressWarnings("deprecation") // the framework looks there, too
    private static long written(Path folder) {
        String scheme = folder.toUri().getScheme();
        return FileSystem.getAllStatistics().stream()
                .filter(statistics -> statistics.getScheme().equals(scheme))
                .mapToLong(statistics -> statistics.getThreadStatistics().getBytesWritten())
                .sum();
    }

    /** A job may have a number of counters; ours take no room that its own need. */
    static void publish(int own, Map<IncoopCounter, Long> values, KeptParts.CounterOf counters) {
        if (own + FRAMEWORKS_COUNTERS + IncoopCounter.values().length <= Limits.getCountersMax()) {
            values.forEach((counter, value) ->
                    counters.of(IncoopCounter.GROUP, counter.name()).increment(value));
        }
    }
}
