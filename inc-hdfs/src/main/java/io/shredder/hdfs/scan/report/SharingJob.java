// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import io.shredder.hdfs.scan.plan.ScanProgress;
import io.shredder.hdfs.scan.plan.ScratchFolder;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** Brings equal chunks of a scan together, by a job of its own. */
public final class SharingJob {

    private static final long BYTES_PER_REDUCE = 256 << 20;
    private static final int MOST_REDUCES = 64;

    private final ScratchFolder scratch;
    private final Path outcomes;
    private final Configuration conf;

    /**
     * Runs nothing yet.
     *
     * @param outcomes where the scan's reduces wrote
     * @param conf of the scan's job, which was {@link ChunkSampler#prepare prepared}, as it was before it ran
     */
    public SharingJob(ScratchFolder scratch, Path outcomes, Configuration conf) {
        this.scratch = scratch;
        this.outcomes = outcomes;
        this.conf = conf;
    }

    /**
     * Returns when it has ended.
     *
     * @param err gets the progress
     */
    public SharingEstimate run(PrintStream err) throws IOException, InterruptedException, ClassNotFoundException {
        Path totals = new Path(outcomes, ChunkSampler.TOTALS);
        long bytes = bytes();
        return new SharingEstimate(sum(totals), bytes == 0 ? none() : sum(counts(bytes, err)));
    }

    private Sharing none() {
        return new Sharing(ChunkSampler.groups(conf));
    }

    private Sharing sum(Path folder) throws IOException {
        Sharing all = none();
        TaskRecords.readAll(folder, Sharing::read, conf).forEach(all::add);
        return all;
    }

    private Path counts(long bytes, PrintStream err) throws IOException, InterruptedException, ClassNotFoundException {
        Path counts = scratch.path("counts");
        Job job = Job.getInstance(conf, "shredder scan: what is shared");
        job.setJarByClass(SharingJob.class);
        job.setInputFormatClass(SequenceFileInputFormat.class);
        FileInputFormat.addInputPath(job, new Path(outcomes, ChunkSampler.CHUNKS));
        job.setMapperClass(Mapper.class);
        job.setReducerClass(SharingReducer.class);
        job.setMapOutputKeyClass(BytesWritable.class);
        job.setMapOutputValueClass(LongWritable.class);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        job.setNumReduceTasks((int) Math.min(MOST_REDUCES, 1 + bytes / BYTES_PER_REDUCE));
        FileOutputFormat.setOutputPath(job, counts);
        new ScanProgress(bytes, err).run(job);
        if (!job.isSuccessful()) {
            throw new IOException(
                    "the job that counts failed: " + job.getStatus().getFailureInfo());
        }
        return counts;
    }

    private long bytes() throws IOException {
        Path chunks = new Path(outcomes, ChunkSampler.CHUNKS);
        try {
            return chunks.getFileSystem(conf).getContentSummary(chunks).getLength();
        } catch (FileNotFoundException e) {
            return 0; // No file has a chunk that was asked for.
        }
    }
}
