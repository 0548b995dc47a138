// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.incoop.task.split.SplitContext;
import io.shredder.incoop.task.split.SplitWatch;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** Writes and keeps the part file of a split of a job without reducers, under the name that it has in a plain run. */
final class SplitPartWriter<K, V> extends RecordWriter<K, V> {

    private final RecordWriter<K, V> own;
    private final SplitPart part;
    private final Path folder;
    private final SplitWatch watch;

    private SplitPartWriter(RecordWriter<K, V> own, SplitPart part, Path folder, SplitWatch watch) {
        this.own = own;
        this.part = part;
        this.folder = folder;
        this.watch = watch;
    }

    /**
     * The writer of a map task, which has brought all part files by then if it maps nothing.
     *
     * @param format the job's own, which keeps the committer that it is asked for first
     * @throws IOException if the job has to run plainly
     */
    static <K, V> RecordWriter<K, V> of(FileOutputFormat<K, V> format, TaskAttemptContext task)
            throws IOException, InterruptedException {
        Configuration conf = task.getConfiguration();
        Path folder = workFolder(format.getOutputCommitter(task));
        Optional<KeptParts> kept = KeptParts.of(conf);
        if (kept.isPresent()) {
            kept.get()
                    .bring(
                            conf,
                            (number, extension) -> format.getDefaultWorkFile(
                                    new TaskAttemptContextImpl(conf, named(task, number)), extension),
                            task);
            return new Nothing<>();
        }
        SplitWatch watch = SplitWatch.of(conf);
        try {
            SplitPart part = SplitPart.of(
                    conf, org.apache.hadoop.mapred.TaskAttemptID.downgrade(task.getTaskAttemptID()), task::getCounter);
            RecordWriter<K, V> own = watch.run(
                    () -> format.getRecordWriter(SplitContext.ofWriter(task, watch, named(task, part.number()))));
            return new SplitPartWriter<>(own, part, folder, watch);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            watch.end();
            throw e;
        }
    }

    private static Path workFolder(OutputCommitter committer) throws IOException {
        if (committer.getClass() != FileOutputCommitter.class) {
            throw new IOException("another output committer than when the job was submitted: " + committer.getClass());
        }
        return ((FileOutputCommitter) committer).getWorkPath();
    }

    private static TaskAttemptID named(TaskAttemptContext task, int number) {
        TaskAttemptID real = task.getTaskAttemptID();
        return new TaskAttemptID(new TaskID(real.getJobID(), TaskType.MAP, number), real.getId());
    }

    @Override
    public void write(K key, V value) throws IOException, InterruptedException {
        own.write(key, value);
    }

    /** Called whatever has become of the mapper. */
    @Override
    public void close(TaskAttemptContext context) throws IOException, InterruptedException {
        try {
            watch.within(() -> {
                own.close(context);
                return own;
            });
            part.keep(folder);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        } finally {
            watch.end();
        }
    }

    /** There is no mapper. */
    private static final class Nothing<K, V> extends RecordWriter<K, V> {

        @Override
        public void write(K key, V value) {
            throw new IllegalStateException("a record for a part file that has been copied: a bug");
        }

        @Override
        public void close(TaskAttemptContext context) {}
    }
}
