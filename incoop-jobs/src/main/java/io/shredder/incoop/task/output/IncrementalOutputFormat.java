// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.ReduceSide;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for the job's output format and leaves everything to it, but for a reduce task whose part file an earlier
 * run has given: that file is copied to where the job's own format would have written it. In a job without reducers
 * part files are those of maps ({@link SplitPartWriter}).
 */
public final class IncrementalOutputFormat<K, V> extends FileOutputFormat<K, V> {

    private @Nullable FileOutputFormat<K, V> own;

    @Override
    public RecordWriter<K, V> getRecordWriter(TaskAttemptContext task) throws IOException, InterruptedException {
        if (MapOnly.is(task.getConfiguration())) {
            return SplitPartWriter.of(own(task), task);
        }
        ReduceHandOff handOff = ReduceHandOff.find(task.getConfiguration());
        if (handOff != null && handOff.part().isPresent()) {
            copy(handOff.part().get(), own(task).getDefaultWorkFile(task, extension(task)), task.getConfiguration());
            return chunked(new Unused<>(), task);
        }
        RecordWriter<K, V> writer = chunked(own(task).getRecordWriter(task), task);
        OutputCommitter committer = own(task).getOutputCommitter(task);
        if (handOff != null && committer.getClass() == FileOutputCommitter.class) {
            handOff.writesTo(((FileOutputCommitter) committer).getWorkPath());
        }
        return writer;
    }

    /** The same writer, unless the part file is one of lines and is to get a manifest. */
    private RecordWriter<K, V> chunked(RecordWriter<K, V> writer, TaskAttemptContext task) throws IOException {
        long chunkBytes = IncoopKeys.outputChunkBytes(task.getConfiguration());
        boolean lines = own(task) instanceof TextOutputFormat && !getCompressOutput(task);
        return lines && chunkBytes > 0
                ? new Chunked<>(writer, own(task).getDefaultWorkFile(task, ""), chunkBytes)
                : writer;
    }

    /** As the two formats that we stand in for name their files. */
    private String extension(TaskAttemptContext task) throws IOException {
        if (!(own(task) instanceof TextOutputFormat) || !getCompressOutput(task)) {
            return "";
        }
        Class<? extends CompressionCodec> codec = getOutputCompressorClass(task, GzipCodec.class);
        return ReflectionUtils.newInstance(codec, task.getConfiguration()).getDefaultExtension();
    }

    private static void copy(ReduceHandOff.KeptPart part, Path file, Configuration conf) throws IOException {
        try (FSDataInputStream in = part.staging().open(part.bytes());
                FSDataOutputStream out = file.getFileSystem(conf).create(file, false)) {
            IOUtils.copyBytes(in, out, part.bytes().length(), false);
        }
    }

    @Override
    public synchronized OutputCommitter getOutputCommitter(TaskAttemptContext task) throws IOException {
        return own(task).getOutputCommitter(task);
    }

    @Override
    public void checkOutputSpecs(JobContext job) throws IOException {
        own(job).checkOutputSpecs(job);
    }

    @SuppressWarnings("unchecked")
    private synchronized FileOutputFormat<K, V> own(JobContext job) throws IOException {
        if (own == null) {
            Configuration conf = job.getConfiguration();
            try {
                own = (FileOutputFormat<K, V>) ReflectionUtils.newInstance(ReduceSide.outputFormatClass(conf), conf);
            } catch (ClassNotFoundException e) {
                throw new IOException("the job's output format is missing: " + e.getMessage(), e);
            }
        }
        return own;
    }

    /** Gives the part file a manifest once it is written. */
    private static final class Chunked<K, V> extends RecordWriter<K, V> {

        private final RecordWriter<K, V> own;
        private final Path file;
        private final long chunkBytes;

        Chunked(RecordWriter<K, V> own, Path file, long chunkBytes) {
            this.own = own;
            this.file = file;
            this.chunkBytes = chunkBytes;
        }

        @Override
        public void write(K key, V value) throws IOException, InterruptedException {
            own.write(key, value);
        }

        @Override
        public void close(TaskAttemptContext context) throws IOException, InterruptedException {
            own.close(context);
            OutputManifest.write(file, chunkBytes, context.getConfiguration());
        }
    }

    /** The reducer that would write does not run. */
    private static final class Unused<K, V> extends RecordWriter<K, V> {

        @Override
        public void write(K key, V value) {
            throw new IllegalStateException("a record for a part file that has been copied: a bug");
        }

        @Override
        public void close(TaskAttemptContext context) {}
    }
}
