// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** A job whose maps read what {@link ScanPlan} says, and whose reduces get all parts of a file. For one thread. */
public final class PlannedJob {

    private static final long SPLITS_PER_REDUCE = 32;
    private static final int MOST_REDUCES = 64;
    private static final double MS_PER_SECOND = 1_000;

    private final Job job;
    private final Path outcomes;
    private final long bytes;

    /**
     * Runs nothing yet.
     *
     * @param name what the cluster's pages call it
     * @param mapper writes the file and a value for each part that it has read, both as bytes
     * @param reducer writes bytes
     * @param conf gets where the plan is, and what tasks need
     */
    public PlannedJob(
            String name,
            List<ScanSplit> splits,
            Class<? extends Mapper<NullWritable, NullWritable, BytesWritable, BytesWritable>> mapper,
            Class<? extends Reducer<BytesWritable, BytesWritable, NullWritable, BytesWritable>> reducer,
            ScratchFolder scratch,
            Configuration conf)
            throws IOException {
        ScanInputFormat.plan(splits, scratch.path("plan"), conf);
        JobJars.ship(conf);
        this.outcomes = scratch.path("outcomes");
        this.bytes = splits.stream().mapToLong(ScanSplit::getLength).sum();
        this.job = Job.getInstance(conf, name);
        job.setJarByClass(PlannedJob.class);
        job.setInputFormatClass(ScanInputFormat.class);
        job.setMapperClass(mapper);
        job.setReducerClass(reducer);
        job.setReduceSpeculativeExecution(false); // Two attempts would write one manifest.
        job.setMapOutputKeyClass(BytesWritable.class);
        job.setMapOutputValueClass(BytesWritable.class);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        job.setNumReduceTasks((int) Math.min(MOST_REDUCES, 1 + splits.size() / SPLITS_PER_REDUCE));
        FileOutputFormat.setOutputPath(job, outcomes);
    }

    /** For what one kind of job needs besides. */
    public Job job() {
        return job;
    }

    /**
     * Returns when it has ended, and says where its reduces have written.
     *
     * @param err gets the progress, and how fast it went
     * @throws IOException if it failed, with why
     */
    public Path run(PrintStream err) throws IOException, InterruptedException, ClassNotFoundException {
        double seconds = new ScanProgress(bytes, err).run(job);
        if (!job.isSuccessful()) {
            throw new IOException("the job failed: " + JobFailure.reason(job));
        }
        err.println(ScanProgress.rate(bytes, seconds, cpuSeconds()));
        return outcomes;
    }

    /** Of all tasks; empty where they had no processes of their own. */
    private OptionalDouble cpuSeconds() throws IOException {
        Counters counters = job.getCounters();
        return counters == null || JobJars.staysInProcess(job.getConfiguration())
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        counters.findCounter(TaskCounter.CPU_MILLISECONDS).getValue() / MS_PER_SECOND);
    }
}
