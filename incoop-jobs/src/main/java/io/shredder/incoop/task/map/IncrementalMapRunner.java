// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.task.output.KeptParts;
import io.shredder.incoop.task.split.SplitReporter;
import io.shredder.incoop.task.split.SplitWatch;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapRunnable;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/** What {@link IncrementalMapper} is to jobs of the old API: stands in for Hadoop's MapRunner. */
public final class IncrementalMapRunner implements MapRunnable<ChunkHolder, NullWritable, Object, Object> {

    private @Nullable JobConf conf;

    @Override
    public void configure(JobConf job) {
        conf = job;
    }

    @Override
    public void run(
            RecordReader<ChunkHolder, NullWritable> input, OutputCollector<Object, Object> output, Reporter reporter)
            throws IOException {
        if (conf == null) {
            throw new IllegalStateException("run before configure");
        }
        Optional<KeptParts> kept = KeptParts.of(conf);
        if (kept.isPresent()) {
            kept.get().count(reporter::getCounter);
            return;
        }
        if (!(reporter.getInputSplit() instanceof ChunkGroupSplit split)) {
            mapOwnSplit(conf, input, output, reporter);
            return;
        }
        ChunkHolder holder = input.createKey();
        NullWritable nothing = input.createValue();
        TaskAttemptID attempt = TaskAttemptID.forName(conf.get(MRJobConfig.TASK_ATTEMPT_ID));
        try {
            new ChunkGroupMap(conf, split, new ReporterView(attempt, reporter))
                    .run(() -> input.next(holder, nothing) ? holder.get() : null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Maps a split that has no chunks, with the job's own reader and mapper, to the task's ordinary output. */
    @SuppressWarnings("unchecked")
    private static void mapOwnSplit(
            JobConf task,
            RecordReader<ChunkHolder, NullWritable> input,
            OutputCollector<Object, Object> output,
            Reporter reporter)
            throws IOException {
        try (SplitWatch watch = SplitWatch.of(task)) {
            watch.run(() -> {
                MapRunnable<ChunkHolder, NullWritable, Object, Object> runner =
                        (MapRunnable<ChunkHolder, NullWritable, Object, Object>)
                                ReflectionUtils.newInstance(watch.conf().getMapRunnerClass(), watch.conf());
                runner.run(input, output, SplitReporter.of(reporter, watch));
                return runner;
            });
            watch.mapped();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private record ReporterView(TaskAttemptID attempt, Reporter reporter) implements ChunkGroupMap.TaskView {

        @Override
        public Counter counter(String group, String name) {
            return reporter.getCounter(group, name);
        }

        @Override
        public void setStatus(String status) {
            reporter.setStatus(status);
        }

        @Override
        public void progress() {
            reporter.progress();
        }
    }
}
