// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** A chunk's records as Hadoop's FixedLengthRecordReader reads them from the whole file, whose offsets are keys. */
final class FixedLengthChunkReader extends RecordReader<LongWritable, BytesWritable> {

    private static final int BUFFER_BYTES = 64 << 10;

    private final ChunkInput chunk;
    private final InputStream in;
    private final LongWritable key;
    private final BytesWritable value;
    private long position;

    FixedLengthChunkReader(ChunkInput chunk, int recordBytes) {
        this.chunk = chunk;
        this.in = new BufferedInputStream(chunk.open(), BUFFER_BYTES);
        this.key = chunk.offsetKey();
        this.value = new BytesWritable(new byte[recordBytes]);
        this.position = chunk.offset();
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        // The constructor has done it: a chunk is no split.
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        key.set(position);
        int recordBytes = value.getLength();
        int read = in.readNBytes(value.getBytes(), 0, recordBytes);
        position += read;
        if (read > 0 && read < recordBytes) {
            throw new IOException(chunk + " holds " + read + " of " + recordBytes + " bytes of a record at "
                    + (position - read) + ": its manifest is for other records");
        }
        return read > 0;
    }

    @Override
    public LongWritable getCurrentKey() {
        return key;
    }

    @Override
    public BytesWritable getCurrentValue() {
        return value;
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
