// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.OwnClasses;
import io.shredder.incoop.config.PlainRunException;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.plan.ChunkGroup;
import io.shredder.incoop.plan.JobPlan;
import io.shredder.incoop.plan.JobPlanner;
import io.shredder.incoop.plan.MapOnlyPlan;
import io.shredder.incoop.plan.MapOnlyPlanner;
import io.shredder.incoop.task.TaggedSplits;
import io.shredder.incoop.task.output.KeptParts;
import io.shredder.incoop.task.output.KeptPartsSplit;
import io.shredder.incoop.task.split.SplitContext;
import io.shredder.incoop.task.split.SplitReader;
import io.shredder.incoop.task.split.SplitWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.util.ReflectionUtils;

/** Stands in for the job's input format: its splits are the chunks that have to be computed, in groups. */
public final class IncrementalInputFormat extends InputFormat<InputChunk, NullWritable> {

    /**
     * Called once, at submission, before the job's configuration is written. What has to be undone for a plain run can
     * be undone here.
     */
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException, InterruptedException {
        Configuration conf = job.getConfiguration();
        List<InputSplit> ownSplits = ownSplits(job);
        try {
            if (MapOnly.is(conf)) {
                return mapOnlySplits(job, ownSplits);
            }
            JobPlan plan = new JobPlanner(job)
                    .plan(ownSplits.stream().map(TaggedSplits::of).toList());
            List<InputSplit> splits = new ArrayList<>();
            for (ChunkGroup group : plan.groups()) {
                splits.add(new ChunkGroupSplit(plan.memoRoot(), plan.identity(), group));
            }
            plan.plainSplits().forEach(split -> splits.add((InputSplit) split));
            return splits;
        } catch (PlainRunException | IOException | ClassNotFoundException | RuntimeException e) {
            Originals.runPlainly(conf, e);
            return ownSplits;
        } catch (OutOfMemoryError e) {
            Originals.runPlainly(conf, PlainRunException.outOfHeap());
            return ownSplits;
        }
    }

    private static List<InputSplit> mapOnlySplits(JobContext job, List<InputSplit> ownSplits)
            throws IOException, InterruptedException, ClassNotFoundException, PlainRunException {
        List<MapOnlyPlanner.Measured> measured = new ArrayList<>();
        for (InputSplit split : ownSplits) {
            measured.add(new MapOnlyPlanner.Measured(TaggedSplits.of(split), split.getLength()));
        }
        MapOnlyPlan plan = new MapOnlyPlanner(job).plan(measured);
        // Of no length, those with kept parts are sorted behind all others, whose order stays.
        List<InputSplit> splits = new ArrayList<>();
        plan.splits().forEach(split -> splits.add((InputSplit) split));
        plan.kept().forEach(parts -> splits.add(new KeptPartsSplit(plan.memoRoot(), plan.identity(), parts)));
        return splits;
    }

    private static List<InputSplit> ownSplits(JobContext job) throws IOException, InterruptedException {
        Configuration conf = job.getConfiguration();
        try {
            Class<?> format = OwnClasses.inputFormat(conf);
            return OwnClasses.showMeanwhile(
                    conf, () -> ((InputFormat<?, ?>) ReflectionUtils.newInstance(format, conf)).getSplits(job));
        } catch (ClassNotFoundException e) {
            throw new IOException("the job's input format is missing: " + e.getMessage(), e);
        }
    }

    @Override
    public RecordReader<InputChunk, NullWritable> createRecordReader(InputSplit split, TaskAttemptContext context)
            throws IOException, InterruptedException {
        if (split instanceof KeptPartsSplit kept) {
            KeptParts.carry(context.getConfiguration(), kept);
            return new NoRecords.OfNewApi();
        }
        return split instanceof ChunkGroupSplit ? new ChunkGroupReader() : ownReader(split, context);
    }

    /** The job's own, whose records {@link IncrementalMapper} gives to the job's own mapper. */
    @SuppressWarnings("unchecked")
    private static RecordReader<InputChunk, NullWritable> ownReader(InputSplit split, TaskAttemptContext context)
            throws IOException, InterruptedException {
        SplitWatch watch = SplitWatch.begin(context.getConfiguration(), split);
        try {
            RecordReader<?, ?> reader = watch.run(() -> {
                Class<?> format = OwnClasses.inputFormat(watch.conf());
                InputFormat<?, ?> own = (InputFormat<?, ?>) ReflectionUtils.newInstance(format, watch.conf());
                return own.createRecordReader(split, SplitContext.ofReader(context, watch));
            });
            return new SplitReader<>((RecordReader<InputChunk, NullWritable>) reader, watch);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            watch.end();
            throw e;
        }
    }
}
