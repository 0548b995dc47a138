// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.header.IncompleteHeaderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Chunks read by the InputFormat's own reader, to which each looks like a whole file in one split: the header of the
 * chunk's file and the chunk. For every InputFormat whose keys and values follow from the file's contents; not for one
 * that makes them of offsets or names, since it sees those of the view.
 */
public final class ViewedRecords implements ChunkRecords {

    /** Finds the end of a file's header. */
    public interface HeaderLength {

        /** For files without a header. */
        HeaderLength NONE = (start, file) -> 0;

        /**
         * The header's length in bytes.
         *
         * @param start the first bytes of the file, as many as are known
         * @param file for errors
         * @throws IncompleteHeaderException if more are needed
         * @throws DamagedDataException if this is no such file
         */
        int of(ByteBuffer start, String file) throws IncompleteHeaderException, DamagedDataException;
    }

    private static final int FIRST_READ_BYTES = 4096;

    private final String recordFormat;
    private final Class<?> inputFormat;
    private final HeaderLength headerLength;
    private final SplitReading splitReading;

    /**
     * @param recordFormat the name that manifests carry
     * @param inputFormat an InputFormat of either MapReduce API
     * @param headerLength finds the end of the header that every chunk needs in front of it
     */
    public ViewedRecords(String recordFormat, Class<?> inputFormat, HeaderLength headerLength) {
        this(recordFormat, inputFormat, headerLength, SplitReading.UNKNOWN);
    }

    ViewedRecords(String recordFormat, Class<?> inputFormat, HeaderLength headerLength, SplitReading splitReading) {
        this.recordFormat = recordFormat;
        this.inputFormat = inputFormat;
        this.headerLength = headerLength;
        this.splitReading = splitReading;
    }

    @Override
    public String recordFormat() {
        return recordFormat;
    }

    @Override
    public InputHeader header(Path file, Configuration conf) throws IOException {
        if (headerLength == HeaderLength.NONE) {
            return InputHeader.NONE;
        }
        try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
            return header(in, file.toString());
        }
    }

    /** Reads more and more of the file until its header is complete. */
    private InputHeader header(FSDataInputStream in, String name) throws IOException {
        byte[] start = new byte[FIRST_READ_BYTES];
        int known = Math.max(0, in.read(0, start, 0, start.length));
        while (true) {
            try {
                return InputHeader.of(in, headerLength.of(ByteBuffer.wrap(start, 0, known), name));
            } catch (IncompleteHeaderException e) {
                int wanted = Math.toIntExact(Math.max(e.bytesNeeded(), 2L * known));
                start = Arrays.copyOf(start, Math.max(wanted, start.length));
                int read = in.read(known, start, known, start.length - known);
                if (read <= 0) {
                    throw new DamagedDataException(name, known, "the file ends within its header");
                }
                known += read;
            }
        }
    }

    @Override
    public SplitReading splitReading() {
        return splitReading;
    }

    @Override
    public RecordReader<?, ?> open(ChunkInput chunk, TaskAttemptContext context)
            throws IOException, InterruptedException {
        JobConf conf = new JobConf(context.getConfiguration());
        ChunkFileSystem.configure(conf);
        Path path = ChunkFileSystem.show(chunk);
        try {
            RecordReader<?, ?> records = InputFormat.class.isAssignableFrom(inputFormat)
                    ? newApiReader(
                            path, chunk.viewLength(), new TaskAttemptContextImpl(conf, context.getTaskAttemptID()))
                    : oldApiReader(path, chunk.viewLength(), conf);
            return new ViewReader<>(records, path);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            ChunkFileSystem.hide(path);
            throw e;
        }
    }

    private RecordReader<?, ?> newApiReader(Path path, long length, TaskAttemptContext context)
            throws IOException, InterruptedException {
        FileSplit whole = new FileSplit(path, 0, length, new String[0]);
        InputFormat<?, ?> format =
                (InputFormat<?, ?>) ReflectionUtils.newInstance(inputFormat, context.getConfiguration());
        RecordReader<?, ?> records = format.createRecordReader(whole, context);
        records.initialize(whole, context);
        return records;
    }

    private RecordReader<?, ?> oldApiReader(Path path, long length, JobConf conf) throws IOException {
        org.apache.hadoop.mapred.FileSplit whole =
                new org.apache.hadoop.mapred.FileSplit(path, 0, length, new String[0]);
        org.apache.hadoop.mapred.InputFormat<?, ?> format =
                (org.apache.hadoop.mapred.InputFormat<?, ?>) ReflectionUtils.newInstance(inputFormat, conf);
        return new OldApiRecords<>(format.getRecordReader(whole, conf, Reporter.NULL));
    }
}
