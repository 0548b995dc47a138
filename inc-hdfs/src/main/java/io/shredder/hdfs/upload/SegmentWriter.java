// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.hdfs.upload.WrittenSegment.WrittenChunk;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongConsumer;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Digests one segment's chunks and writes them to HDFS, from the very same bytes. {@link #add} is for the thread that
 * cuts, {@link #call} for another. Buffers go from the one to the other through a queue, and from there back to their
 * pool.
 */
final class SegmentWriter implements Callable<WrittenSegment> {

    private final int segment;
    private final SegmentedFile file;
    private final long preferredBytes;
    private final UploadBuffers buffers;
    private final LongConsumer written;
    private final MessageDigest digest;
    private final BlockingQueue<UploadBuffer> queue = new LinkedBlockingQueue<>();
    private final List<WrittenChunk> chunks = new ArrayList<>();

    private @Nullable OutputStream block;
    private int blocks;
    private long blockBytes;
    private int chunkBytes;

    /**
     * @param segment its number in the file, from 0
     * @param buffers where buffers go when their bytes are written, and failures
     * @param written told the number of bytes of each buffer that HDFS has taken
     */
    SegmentWriter(
            int segment,
            SegmentedFile file,
            long preferredBytes,
            DigestAlgorithm digest,
            UploadBuffers buffers,
            LongConsumer written) {
        this.segment = segment;
        this.file = file;
        this.preferredBytes = preferredBytes;
        this.digest = digest.newMessageDigest();
        this.buffers = buffers;
        this.written = written;
    }

    /** Hands the segment's next bytes over; the last ones are marked so. Never blocks. */
    void add(UploadBuffer buffer) {
        queue.add(buffer);
    }

    @Override
    public WrittenSegment call() throws IOException {
        try {
            writeAll();
            closeBlock();
            file.segmentWritten(segment, blocks);
            return new WrittenSegment(chunks);
        } catch (IOException e) {
            buffers.fail(e);
            throw e;
        } catch (RuntimeException | Error e) {
            buffers.fail(new IOException("segment " + segment + " could not be written: " + e, e));
            throw e;
        } finally {
            IOUtils.closeStream(
                    block); // after a failure HDFS throws the same exception once more: not to be told twice
        }
    }

    private void writeAll() throws IOException {
        boolean last;
        do {
            UploadBuffer buffer = take();
            last = buffer.isLast();
            digest(buffer);
            write(buffer);
            written.accept(buffer.length());
            buffers.release(buffer);
        } while (!last);
    }

    private UploadBuffer take() throws InterruptedIOException {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the upload was stopped");
        }
    }

    private void digest(UploadBuffer buffer) {
        int from = 0;
        for (int end : buffer.chunkEnds()) {
            digest(buffer, from, end);
            chunks.add(new WrittenChunk(chunkBytes, Fingerprint.of(digest.digest())));
            chunkBytes = 0;
            from = end;
        }
        digest(buffer, from, buffer.length());
    }

    private void digest(UploadBuffer buffer, int from, int to) {
        digest.update(buffer.bytes(), from, to - from);
        chunkBytes += to - from;
    }

    /** A segment longer than the preferred block size goes on in another block. */
    private void write(UploadBuffer buffer) throws IOException {
        int from = 0;
        while (from < buffer.length()) {
            if (blockBytes == preferredBytes) {
                closeBlock();
            }
            if (block == null) {
                block = file.open(segment, blocks);
                blocks++;
            }
            int n = (int) Math.min(buffer.length() - from, preferredBytes - blockBytes);
            block.write(buffer.bytes(), from, n);
            blockBytes += n;
            from += n;
        }
    }

    private void closeBlock() throws IOException {
        OutputStream open = block;
        if (open != null) {
            open.close();
            block = null;
            blockBytes = 0;
        }
    }
}
