// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The reader stage: a thread of its own that moves a channel's bytes into a stream's ring buffers. */
final class SourceReader implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ReadableByteChannel source;
    private final ChunkStream stream;
    private final Thread thread;
    private volatile long bytesRead;
    private volatile @Nullable Throwable failure;

    private SourceReader(ReadableByteChannel source, ChunkStream stream) {
        this.source = source;
        this.stream = stream;
        this.thread = new Thread(this::run, "shredder-reader-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
    }

    static SourceReader start(ReadableByteChannel source, ChunkStream stream) {
        SourceReader reader = new SourceReader(source, stream);
        reader.thread.start();
        return reader;
    }

    /** So far; final once the stream has ended. */
    long bytesRead() {
        return bytesRead;
    }

    /** What made the reader cancel the stream, if it did. */
    void throwFailure() throws IOException {
        Throwable cause = failure;
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause != null) {
            throw new IllegalStateException("the reader failed: " + cause, cause);
        }
    }

    /** Ends the thread, if need be in the middle of a read that can be interrupted. */
    @Override
    public void close() {
        stream.cancel();
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            moveAll();
        } catch (StreamCancelledException e) {
            // The consumer stopped, and knows why.
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
            stream.cancel();
        }
    }

    private void moveAll() throws IOException {
        for (long total = 0; ; ) {
            ByteBuffer buffer = stream.acquire();
            boolean ended = fill(buffer);
            total += buffer.position();
            bytesRead = total;
            if (ended) {
                stream.finish(buffer);
                return;
            }
            stream.submit(buffer);
        }
    }

    /** True if the source has ended; else the buffer is full. */
    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (source.read(buffer) < 0) {
                return true;
            }
        }
        return false;
    }
}
