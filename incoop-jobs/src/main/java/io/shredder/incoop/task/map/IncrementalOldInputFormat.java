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
import io.shredder.incoop.task.split.SplitOldReader;
import io.shredder.incoop.task.split.SplitWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** What {@link IncrementalInputFormat} is to jobs of the old API. */
public final class IncrementalOldInputFormat implements InputFormat<ChunkHolder, NullWritable> {

    /** Called once, at submission, before the job's configuration is written. */
    @Override
    public InputSplit[] getSplits(JobConf job, int wanted) throws IOException {
        try {
            InputSplit[] ownSplits = ownFormat(job).getSplits(job, wanted);
            try {
                if (MapOnly.is(job)) {
                    return mapOnlySplits(job, ownSplits);
                }
                JobPlan plan = new JobPlanner(new JobContextImpl(job, jobId(job)))
                        .plan(Arrays.stream(ownSplits).map(TaggedSplits::of).toList());
                List<InputSplit> splits = new ArrayList<>();
                for (ChunkGroup group : plan.groups()) {
                    splits.add(new ChunkGroupSplit(plan.memoRoot(), plan.identity(), group));
                }
                plan.plainSplits().forEach(split -> splits.add((InputSplit) split));
                return splits.toArray(new InputSplit[0]);
            } catch (PlainRunException | IOException | RuntimeException e) {
                Originals.runPlainly(job, e);
                return ownSplits;
            } catch (OutOfMemoryError e) {
                Originals.runPlainly(job, PlainRunException.outOfHeap());
                return ownSplits;
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }

    private static InputSplit[] mapOnlySplits(JobConf job, InputSplit[] ownSplits)
            throws IOException, ClassNotFoundException, PlainRunException {
        List<MapOnlyPlanner.Measured> measured = new ArrayList<>();
        for (InputSplit split : ownSplits) {
            measured.add(new MapOnlyPlanner.Measured(TaggedSplits.of(split), split.getLength()));
        }
        MapOnlyPlan plan = new MapOnlyPlanner(new JobContextImpl(job, jobId(job))).plan(measured);
        // Of no length, those with kept parts are sorted behind all others, whose order stays.
        List<InputSplit> splits = new ArrayList<>();
        plan.splits().forEach(split -> splits.add((InputSplit) split));
        plan.kept().forEach(parts -> splits.add(new KeptPartsSplit(plan.memoRoot(), plan.identity(), parts)));
        return splits.toArray(new InputSplit[0]);
    }

    private static InputFormat<?, ?> ownFormat(JobConf job) throws ClassNotFoundException {
        return (InputFormat<?, ?>) ReflectionUtils.newInstance(OwnClasses.inputFormat(job), job);
    }

    /** The submitter tells the old API no id, but its folder is named for it. */
    private static JobID jobId(JobConf job) {
        return JobID.forName(new Path(job.get(MRJobConfig.MAPREDUCE_JOB_DIR)).getName());
    }

    @Override
    public RecordReader<ChunkHolder, NullWritable> getRecordReader(InputSplit split, JobConf job, Reporter reporter)
            throws IOException {
        if (split instanceof KeptPartsSplit kept) {
            KeptParts.carry(job, kept);
            return new NoRecords.OfOldApi();
        }
        return split instanceof ChunkGroupSplit chunks
                ? new GroupReader(chunks.group())
                : ownReader(split, job, reporter);
    }

    /** The job's own, whose records {@link IncrementalMapRunner} gives to the job's own mapper. */
    @SuppressWarnings("unchecked")
    private static RecordReader<ChunkHolder, NullWritable> ownReader(InputSplit split, JobConf job, Reporter reporter)
            throws IOException {
        SplitWatch watch = SplitWatch.begin(job, split);
        try {
            return watch.run(() -> {
                Class<?> format = OwnClasses.inputFormat(watch.conf());
                RecordReader<ChunkHolder, NullWritable> own = ((InputFormat<ChunkHolder, NullWritable>)
                                ReflectionUtils.newInstance(format, watch.conf()))
                        .getRecordReader(split, watch.conf(), reporter);
                return watch.world().isPresent() ? new SplitOldReader<>(own, watch) : own;
            });
        } catch (InterruptedException e) {
            watch.end();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException | RuntimeException | Error e) {
            watch.end();
            throw e;
        }
    }

    /** Names the chunks of a group one by one: to {@link IncrementalMapRunner} a chunk is a record. */
    private static final class GroupReader implements RecordReader<ChunkHolder, NullWritable> {

        private final ChunkGroup group;
        private final Iterator<InputChunk> chunks;
        private long position;
        private long currentBytes;

        GroupReader(ChunkGroup group) {
            this.group = group;
            this.chunks = group.chunks().iterator();
        }

        @Override
        public boolean next(ChunkHolder holder, NullWritable nothing) {
            position += currentBytes;
            currentBytes = 0;
            if (!chunks.hasNext()) {
                return false;
            }
            InputChunk chunk = chunks.next();
            currentBytes = chunk.length();
            holder.set(chunk);
            return true;
        }

        @Override
        public ChunkHolder createKey() {
            return new ChunkHolder();
        }

        @Override
        public NullWritable createValue() {
            return NullWritable.get();
        }

        /** Bytes of the group whose map is done. */
        @Override
        public long getPos() {
            return position;
        }

        @Override
        public float getProgress() {
            return group.bytes() == 0 ? 1 : ChunkGroupSplit.progress(position / (float) group.bytes());
        }

        @Override
        public void close() {}
    }
}
