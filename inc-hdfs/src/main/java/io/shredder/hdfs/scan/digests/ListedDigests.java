// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.chunk.Manifest;
import io.shredder.hdfs.scan.plan.ScannedFile;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** Writes down entries of a listing, of files whose chunks a task knows. For one thread. */
public final class ListedDigests implements Closeable {

    private static final String DIGESTS = "digests";
    private static final String WANTED_KEY = "inc-hdfs.scan.digests";

    private final MultipleOutputs<NullWritable, BytesWritable> outputs;

    /**
     * Writes nothing yet.
     *
     * @param context of a job with an {@link #addOutput output}
     */
    public ListedDigests(TaskInputOutputContext<?, ?, NullWritable, BytesWritable> context) {
        this.outputs = new MultipleOutputs<>(context);
    }

    /** Has tasks write down entries, if their job has the {@link #addOutput output}, too. */
    public static void prepare(Configuration conf) {
        conf.setBoolean(WANTED_KEY, true);
    }

    /** Gives the job of a {@link #prepare prepared} configuration somewhere to write to. */
    public static void addOutput(Job job) {
        MultipleOutputs.addNamedOutput(
                job, DIGESTS, SequenceFileOutputFormat.class, NullWritable.class, BytesWritable.class);
    }

    /** Whether it was {@link #prepare prepared}. */
    public static boolean isWanted(Configuration conf) {
        return conf.getBoolean(WANTED_KEY, false);
    }

    /** Where the entries lie of a job that wrote to {@code outcomes}. */
    static Path folder(Path outcomes) {
        return new Path(outcomes, DIGESTS);
    }

    /** Writes down a file. */
    public void add(ScannedFile file, Manifest chunks) throws IOException, InterruptedException {
        ListedFile listed =
                new ListedFile(file.path().toUri().getPath(), file.blocks(), chunks.withFileId(file.fileId()));
        outputs.write(DIGESTS, NullWritable.get(), TaskRecords.of(listed::write), DIGESTS + "/part");
    }

    @Override
    public void close() throws IOException {
        try {
            outputs.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
