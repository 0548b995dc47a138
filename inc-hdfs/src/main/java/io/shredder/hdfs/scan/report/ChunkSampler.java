// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * Writes down chunks of files that a task has cut: all, or those whose digests are below a share of all digests, which
 * all files have alike. For one thread.
 */
public final class ChunkSampler implements Closeable {

    /** All chunks, in a sample. */
    public static final int ALL = 10_000;

    /** Where chunks are written, and what a task knows of all of them. */
    static final String CHUNKS = "chunks";

    static final String TOTALS = "totals";

    private static final String GROUPS_KEY = "inc-hdfs.scan.groups";
    private static final String SAMPLE_KEY = "inc-hdfs.scan.sample";
    private static final String FILE = "/part";

    private final MultipleOutputs<NullWritable, BytesWritable> outputs;
    private final SeenChunks seen = new SeenChunks(SeenChunks.SLOTS);
    private final Sharing totals;
    private final long below;

    /**
     * Writes nothing yet.
     *
     * @param context of a job with {@link #addOutputs outputs}
     */
    public ChunkSampler(TaskInputOutputContext<?, ?, NullWritable, BytesWritable> context) {
        Configuration conf = context.getConfiguration();
        this.outputs = new MultipleOutputs<>(context);
        this.totals = new Sharing(groups(conf));
        this.below = conf.getInt(SAMPLE_KEY, ALL) * (1L << Integer.SIZE) / ALL;
    }

    /**
     * Has tasks write down chunks, if their job has the {@link #addOutputs outputs}, too.
     *
     * @param groups of files, at least 1
     * @param sample of how many of {@link #ALL} chunks
     */
    public static void prepare(Configuration conf, int groups, int sample) {
        conf.setInt(GROUPS_KEY, groups);
        conf.setInt(SAMPLE_KEY, sample);
    }

    /** Gives the job of a {@link #prepare prepared} configuration somewhere to write to. */
    public static void addOutputs(Job job) {
        MultipleOutputs.addNamedOutput(
                job, CHUNKS, SequenceFileOutputFormat.class, BytesWritable.class, LongWritable.class);
        MultipleOutputs.addNamedOutput(
                job, TOTALS, SequenceFileOutputFormat.class, NullWritable.class, BytesWritable.class);
    }

    /** Whether it was {@link #prepare prepared}. */
    public static boolean isWanted(Configuration conf) {
        return conf.getInt(GROUPS_KEY, 0) > 0;
    }

    static int groups(Configuration conf) {
        return Math.max(1, conf.getInt(GROUPS_KEY, 1));
    }

    /**
     * Writes down a file's chunks.
     *
     * @param group of the file
     */
    public void add(Manifest file, int group) throws IOException, InterruptedException {
        byte[] digest = new byte[Fingerprint.BYTES];
        ByteBuffer view = ByteBuffer.wrap(digest);
        for (Chunk chunk : file.chunks()) {
            chunk.fingerprint().write(view.clear());
            boolean tells = seen.isNew(view, group);
            totals.addPlace(group, chunk.length(), tells);
            if (tells && (view.getInt(0) & 0xFFFF_FFFFL) < below) {
                outputs.write(
                        CHUNKS,
                        new BytesWritable(digest.clone()),
                        new LongWritable(place(chunk.length(), group)),
                        CHUNKS + FILE);
            }
        }
    }

    /** A chunk's length and the group of its file, as one number. */
    private static long place(int length, int group) {
        return (long) group << Integer.SIZE | length;
    }

    static int length(long place) {
        return (int) place;
    }

    static int group(long place) {
        return (int) (place >> Integer.SIZE);
    }

    /** Writes what is known of all chunks. */
    @Override
    public void close() throws IOException {
        try {
            outputs.write(TOTALS, NullWritable.get(), TaskRecords.of(totals::write), TOTALS + FILE);
            outputs.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
