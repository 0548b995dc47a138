// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
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
final class SharingJob {

    private static final long BYTES_PER_REDUCE = 256 << 20;
    private static final int MOST_REDUCES = 64;

    private final Path scratch;
    private final Path chunks;
    private final Configuration conf;

    /**
     * Runs nothing yet.
     *
     * @param chunks what the scan's reduces wrote
     * @param conf of the scan
     */
    SharingJob(Path scratch, Path chunks, Configuration conf) {
        this.scratch = scratch;
        this.chunks = chunks;
        this.conf = conf;
    }

    /** @param err gets the progress */
    Sharing run(PrintStream err) throws IOException, InterruptedException, ClassNotFoundException {
        int groups = Math.max(1, conf.getInt(ScanSettings.GROUPS_KEY, 1));
        FileSystem fs = chunks.getFileSystem(conf);
        long bytes = bytes(fs);
        if (bytes == 0) {
            return new Sharing(groups);
        }
        Path counts = new Path(scratch, "counts");
        Job job = Job.getInstance(conf, "shredder scan: what is shared");
        job.setJarByClass(SharingJob.class);
        job.setInputFormatClass(SequenceFileInputFormat.class);
        FileInputFormat.addInputPath(job, chunks);
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
        Sharing all = new Sharing(groups);
        ScanRecords.readAll(counts, ScanRecords::sharing, conf).forEach(all::add);
        return all;
    }

    private long bytes(FileSystem fs) throws IOException {
        try {
            return fs.getContentSummary(chunks).getLength();
        } catch (FileNotFoundException e) {
            return 0; // No file has a chunk that was asked for.
        }
    }
}
