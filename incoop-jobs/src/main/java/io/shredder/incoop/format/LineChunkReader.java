// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.util.LineReader;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a chunk as Hadoop's LineRecordReader gives them from the whole file: keys are offsets in the file, and a
 * byte order mark is dropped at the file's start and nowhere else. A chunk that begins with one is position-dependent
 * for that.
 */
final class LineChunkReader extends RecordReader<LongWritable, Text> {

    private final ChunkInput chunk;
    private final LineReader lines;
    private final LongWritable key;
    private final Text value = new Text();
    private long position;
    private boolean ended;

    /** @param delimiter the bytes that end a record; none: LF, CR or CRLF */
    LineChunkReader(ChunkInput chunk, byte[] delimiter, Configuration conf) throws IOException {
        this.chunk = chunk;
        this.lines = delimiter.length == 0
                ? new LineReader(chunk.open(), conf)
                : new LineReader(chunk.open(), conf, delimiter);
        this.key = chunk.offsetKey();
        this.position = chunk.offset();
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        // The constructor has done it: a chunk is no split.
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        key.set(position);
        int size = lines.readLine(value);
        int counted = position == chunk.offset() ? dropByteOrderMark(size) : size;
        position += size;
        ended = counted == 0;
        return !ended;
    }

    /** What LineRecordReader takes the first line's size to be: a file of nothing but the mark has no record. */
    private int dropByteOrderMark(int size) {
        byte[] bytes = value.getBytes();
        boolean marked =
                value.getLength() >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        if (!marked) {
            return size;
        }
        chunk.watch().asked("its reader drops a byte order mark at the start of a file only");
        if (chunk.offset() != 0) {
            return size;
        }
        value.set(value.copyBytes(), 3, value.getLength() - 3);
        return size - 3;
    }

    @Override
    public @Nullable LongWritable getCurrentKey() {
        return ended ? null : key;
    }

    @Override
    public @Nullable Text getCurrentValue() {
        return ended ? null : value;
    }

    @Override
    public float getProgress() {
        return chunk.length() == 0 ? 1 : (position - chunk.offset()) / (float) chunk.length();
    }

    @Override
    public void close() {
        // The stream belongs to the chunk's runner.
    }
}
