// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.task.Staging;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IFileInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A staged segment's records, read many at a time: Hadoop's own reader takes each byte of a length through four
 * streams. Opened by the first record that is asked for. A key and its value lie in one buffer, good until the next
 * key. One thread.
 */
final class StagedReader<K, V> extends IFile.Reader<K, V> {

    private static final int FIRST_BYTES = 1 << 16;
    private static final int FILE_BUFFER_BYTES = 1 << 13;

    /**
     * Segments up to here are read whole: that takes little more memory than buffers do as long as they are open, and
     * no file stays open.
     */
    private static final int SMALL_BYTES = 1 << 18;

    private static final int USUAL_RATIO = 4;
    private static final long BYTES_OF_AN_OPEN_CODEC = 1 << 20;
    private static final int LONGEST_LENGTHS = 10;

    private final Configuration conf;
    private final FileSystem local;
    private final Staging.Staged segment;
    private final @Nullable CompressionCodec codec;
    private final @Nullable BlockUnpacker blocks;
    private @Nullable Decompressor pooled;
    private @Nullable InputStream records;
    private byte[] bytes = new byte[0];
    private int position;
    private int limit;
    private int valueStart;

    /**
     * @param codec that has packed the segment
     * @param blocks what unpacks it, if the codec packs block by block
     */
    StagedReader(
            Configuration conf,
            FileSystem local,
            Staging.Staged segment,
            @Nullable CompressionCodec codec,
            @Nullable BlockUnpacker blocks)
            throws IOException {
        super(conf, null, segment.length(), null, null);
        this.conf = conf;
        this.local = local;
        this.segment = segment;
        this.codec = codec;
        this.blocks = blocks;
    }

    /** About how many bytes of memory it takes while it is being read. */
    long memory() throws IOException {
        boolean small = segment.length() <= SMALL_BYTES;
        if (codec == null) {
            // Files that are open are few, too.
            return small ? segment.length() : SMALL_BYTES;
        }
        if (blocks == null) {
            return small ? USUAL_RATIO * segment.length() : BYTES_OF_AN_OPEN_CODEC;
        }
        try (FSDataInputStream in = local.open(segment.file(), FILE_BUFFER_BYTES)) {
            in.seek(segment.offset());
            BlockUnpacker.Lengths lengths = BlockUnpacker.lengths(in, name());
            return small ? (long) (lengths.ratio() * segment.length()) : FIRST_BYTES + lengths.block();
        }
    }

    private String name() {
        return segment.file() + " at " + segment.offset();
    }

    @Override
    public long getLength() {
        return segment.length();
    }

    @Override
    public long getPosition() {
        return bytesRead;
    }

    @Override
    public boolean nextRawKey(DataInputBuffer key) throws IOException {
        if (records == null) {
            open();
        }
        have(LONGEST_LENGTHS);
        int start = position;
        currentKeyLength = length();
        currentValueLength = length();
        bytesRead += position - start;
        if (currentKeyLength == IFile.EOF_MARKER && currentValueLength == IFile.EOF_MARKER) {
            return false;
        }
        long both = (long) currentKeyLength + currentValueLength;
        if (currentKeyLength < 0 || currentValueLength < 0 || both > Integer.MAX_VALUE / 2) {
            throw new IOException(segment.file() + ": a record has lengths of " + currentKeyLength + " and "
                    + currentValueLength + " in the segment at " + segment.offset());
        }
        if (!have((int) both)) {
            throw cutOff();
        }
        key.reset(bytes, position, currentKeyLength);
        valueStart = position + currentKeyLength;
        position = valueStart + currentValueLength;
        bytesRead += both;
        return true;
    }

    @Override
    public void nextRawValue(DataInputBuffer value) {
        value.reset(bytes, valueStart, currentValueLength);
    }

    private void open() throws IOException {
        bytes = new byte[FIRST_BYTES];
        FSDataInputStream file = local.open(segment.file(), FILE_BUFFER_BYTES);
        InputStream checked;
        try {
            file.seek(segment.offset());
            checked = new IFileInputStream(file, segment.length(), conf);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        records = codec == null ? checked : unpacked(checked, codec);
        if (segment.length() <= SMALL_BYTES) {
            readWhole();
        }
    }

    private InputStream unpacked(InputStream packed, CompressionCodec by) throws IOException {
        if (blocks != null) {
            return blocks.unpack(packed, name());
        }
        pooled = CodecPool.getDecompressor(by);
        return by.createInputStream(packed, pooled);
    }

    private void readWhole() throws IOException {
        bytes = new byte[(int) (USUAL_RATIO * segment.length())];
        while (have(limit + 1)) {
            // More is read as long as there is more.
        }
        bytes = Arrays.copyOf(bytes, limit);
        closeStream();
        records = InputStream.nullInputStream();
    }

    /** As {@link WritableUtils#readVInt}; at least two are there, or the end of the segment. */
    private int length() throws IOException {
        if (position >= limit) {
            throw cutOff();
        }
        byte first = bytes[position++];
        int size = WritableUtils.decodeVIntSize(first);
        if (size == 1) {
            return first;
        }
        if (position + size - 1 > limit) {
            throw cutOff();
        }
        long value = 0;
        for (int i = 1; i < size; i++) {
            value = value << 8 | (bytes[position++] & 0xFF);
        }
        return (int) (WritableUtils.isNegativeVInt(first) ? ~value : value);
    }

    private EOFException cutOff() {
        return new EOFException(segment.file() + ": the segment at " + segment.offset() + " ends within a record");
    }

    /** Gets so many bytes behind the position, in one piece; false if there are fewer. */
    private boolean have(int count) throws IOException {
        if (limit - position >= count) {
            return true;
        }
        byte[] target = count > bytes.length ? new byte[Math.max(count, 2 * bytes.length)] : bytes;
        System.arraycopy(bytes, position, target, 0, limit - position);
        bytes = target;
        limit -= position;
        position = 0;
        while (limit < count) {
            int read = records == null ? -1 : records.read(bytes, limit, bytes.length - limit);
            if (read < 0) {
                return false;
            }
            limit += read;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        bytes = new byte[0];
        closeStream();
    }

    private void closeStream() throws IOException {
        try {
            if (records != null) {
                records.close();
            }
        } finally {
            records = null;
            if (pooled != null) {
                pooled.reset();
                CodecPool.returnDecompressor(pooled);
                pooled = null;
            }
        }
    }
}
