// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.task.split.SplitWatch;
import java.io.IOException;
import java.text.NumberFormat;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ReflectionUtils;

/** What {@link IncrementalOutputFormat} is to jobs of the old API without reducers. */
public final class IncrementalOldOutputFormat<K, V> extends FileOutputFormat<K, V> {

    private static final int DIGITS = 5;

    @Override
    public RecordWriter<K, V> getRecordWriter(FileSystem ignored, JobConf job, String name, Progressable progress)
            throws IOException {
        Reporter reporter = (Reporter) progress; // a map task's, which has its counters
        Optional<KeptParts> kept = KeptParts.of(job);
        if (kept.isPresent()) {
            kept.get().bring(job, (number, extension) -> getTaskOutputPath(job, name(number) + extension), progress);
            return new Nothing<>();
        }
        SplitWatch watch = SplitWatch.of(job);
        try {
            SplitPart part = SplitPart.of(
                    job, TaskAttemptID.forName(job.get(MRJobConfig.TASK_ATTEMPT_ID)), reporter::getCounter);
            OutputFormat<K, V> format = own(job);
            RecordWriter<K, V> own =
                    watch.run(() -> format.getRecordWriter(ignored, watch.conf(), name(part.number()), progress));
            Path folder = getTaskOutputPath(job, name(part.number())).getParent();
            return new Writer<>(own, part, folder, watch);
        } catch (InterruptedException e) {
            watch.end();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException | RuntimeException | Error e) {
            watch.end();
            throw e;
        }
    }

    /** As Hadoop's map task names its part file. */
    private static String name(int number) {
        NumberFormat format = NumberFormat.getInstance();
        format.setMinimumIntegerDigits(DIGITS);
        format.setGroupingUsed(false);
        return "part-" + format.format(number);
    }

    @Override
    public void checkOutputSpecs(FileSystem ignored, JobConf job) throws IOException {
        own(job).checkOutputSpecs(ignored, job);
    }

    @SuppressWarnings("unchecked")
    private OutputFormat<K, V> own(JobConf job) throws IOException {
        try {
            return (OutputFormat<K, V>) ReflectionUtils.newInstance(MapOnly.outputFormatClass(job), job);
        } catch (ClassNotFoundException e) {
            throw new IOException("the job's output format is missing: " + e.getMessage(), e);
        }
    }

    private static final class Writer<K, V> implements RecordWriter<K, V> {

        private final RecordWriter<K, V> own;
        private final SplitPart part;
        private final Path folder;
        private final SplitWatch watch;

        Writer(RecordWriter<K, V> own, SplitPart part, Path folder, SplitWatch watch) {
            this.own = own;
            this.part = part;
            this.folder = folder;
            this.watch = watch;
        }

        @Override
        public void write(K key, V value) throws IOException {
            own.write(key, value);
        }

        /** Called whatever has become of the mapper. */
        @Override
        public void close(Reporter reporter) throws IOException {
            try {
                watch.within(() -> {
                    own.close(reporter);
                    return own;
                });
                part.keep(folder);
            } catch (ClassNotFoundException e) {
                throw new IOException("a class of the job is missing: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                watch.end();
            }
        }
    }

    /** There is no mapper. */
    private static final class Nothing<K, V> implements RecordWriter<K, V> {

        @Override
        public void write(K key, V value) {
            throw new IllegalStateException("a record for a part file that has been copied: a bug");
        }

        @Override
        public void close(Reporter reporter) {}
    }
}
