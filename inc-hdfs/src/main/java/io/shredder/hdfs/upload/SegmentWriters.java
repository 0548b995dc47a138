// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.Manifest;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.PathIOException;
import org.jspecify.annotations.Nullable;

/**
 * Copies record-aligned chunks to buffers and gives each segment to a thread of its own, which digests and writes it,
 * as many at once as the file takes. Segments begin in the file's order, so the pool of buffers can be smaller than a
 * segment: what waits for one is always behind it. Used by one thread, which also closes it: then no thread of it
 * writes any more.
 */
final class SegmentWriters implements RecordAligner.Sink, AutoCloseable {

    private final String name;
    private final SegmentedFile file;
    private final BlockPlan plan;
    private final LongConsumer progress;
    private final UploadBuffers buffers;
    private final ExecutorService threads;
    private final AtomicLong written = new AtomicLong();
    private final List<Future<WrittenSegment>> segments = new ArrayList<>();

    private @Nullable SegmentWriter writer;
    private @Nullable UploadBuffer filling;
    private long doneBytes;
    private int chunkBytes;
    private long blockBytes;
    private long blocks;

    /**
     * @param name the file, for errors
     * @param progress told the number of bytes that HDFS has taken so far, on several threads
     */
    SegmentWriters(String name, SegmentedFile file, BlockPlan plan, long bufferBytes, LongConsumer progress) {
        this.name = name;
        this.file = file;
        this.plan = plan;
        this.progress = progress;
        this.buffers = new UploadBuffers(bufferBytes);
        AtomicInteger count = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(
                file.writers(), task -> new Thread(task, "upload-write-" + count.incrementAndGet()));
    }

    @Override
    public void data(ByteBuffer piece) throws IOException {
        refuseIfTooLong(piece.remaining());
        countBlocks(piece.remaining());
        doneBytes += piece.remaining();
        chunkBytes += piece.remaining();
        while (piece.hasRemaining()) {
            bufferWithRoom().fill(piece);
        }
    }

    private void refuseIfTooLong(int moreBytes) throws IOException {
        if (moreBytes > Integer.MAX_VALUE - chunkBytes) {
            throw new PathIOException(
                    name,
                    "the record at offset " + (doneBytes - chunkBytes)
                            + " or the chunk that it is in is longer than 2 GiB: use -inputFormat raw");
        }
    }

    /** A segment's block ends at the preferred size; every byte after an end starts another. */
    private void countBlocks(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            if (blockBytes == 0 && ++blocks > plan.maxBlocks()) {
                throw plan.tooManyBlocks(name, doneBytes);
            }
            long n = Math.min(left, plan.preferredBytes() - blockBytes);
            blockBytes = (blockBytes + n) % plan.preferredBytes();
            left -= n;
        }
    }

    private UploadBuffer bufferWithRoom() throws IOException {
        UploadBuffer buffer = filling;
        if (buffer != null && buffer.isFull()) {
            present().add(buffer);
            buffer = null;
        }
        if (buffer == null) {
            buffer = buffers.acquire();
            filling = buffer;
        }
        return buffer;
    }

    /** The writer of the present segment; its thread begins when one is idle. */
    private SegmentWriter present() {
        SegmentWriter present = writer;
        if (present == null) {
            present = new SegmentWriter(
                    segments.size(),
                    file,
                    plan.preferredBytes(),
                    plan.params().digest(),
                    buffers,
                    bytes -> progress.accept(written.addAndGet(bytes)));
            segments.add(threads.submit(present));
            writer = present;
        }
        return present;
    }

    @Override
    public void endChunk(boolean segmentEnd) throws IOException {
        UploadBuffer buffer = bufferWithChunk();
        buffer.endChunk();
        chunkBytes = 0;
        if (segmentEnd) {
            buffer.endSegment();
            present().add(buffer);
            filling = null;
            writer = null;
            blockBytes = 0;
        }
    }

    private UploadBuffer bufferWithChunk() {
        if (filling == null) {
            throw new IllegalStateException("a chunk has at least one byte");
        }
        return filling;
    }

    /**
     * Waits until all segments, of which the last has ended, are written.
     *
     * @throws IOException the first failure
     */
    void addTo(Manifest.Builder manifest) throws IOException {
        for (Future<WrittenSegment> segment : segments) {
            result(segment).addTo(manifest);
        }
    }

    private static WrittenSegment result(Future<WrittenSegment> segment) throws IOException {
        try {
            return segment.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while segments were written");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException("a segment could not be written: " + e.getCause(), e);
        }
    }

    /** Stops the threads, whether they are done or not, and waits for their end. */
    @Override
    public void close() throws InterruptedIOException {
        threads.shutdownNow();
        try {
            while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the upload was stopped");
        }
    }
}
