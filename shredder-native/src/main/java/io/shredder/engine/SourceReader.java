// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reader stage: a thread of its own that has a source fill a stream's ring buffers. */
final class SourceReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceReader.class);

    /** How long a source has to answer an interrupt before nobody waits for it any more. */
    private static final long ANSWER_MS = 1000;

    /** Where a stream's bytes come from. */
    interface Source {
        /**
         * Fills the stream and ends it; returns the number of bytes. A cancel of the stream ends it early; one that
         * cancels the stream itself, for an error, returns soon.
         */
        long fill(ChunkStream stream) throws IOException;
    }

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Source source;
    private final ChunkStream stream;
    private final Thread thread;
    private volatile long bytesRead;
    private volatile @Nullable Throwable failure;
    private volatile boolean unwanted;

    private SourceReader(Source source, ChunkStream stream) {
        this.source = source;
        this.stream = stream;
        this.thread = new Thread(this::run, "shredder-reader-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
    }

    static SourceReader start(Source source, ChunkStream stream) {
        SourceReader reader = new SourceReader(source, stream);
        reader.thread.start();
        return reader;
    }

    /** All of them; the stream must have ended. */
    long bytesRead() {
        awaitEnd();
        return bytesRead;
    }

    /** Throws what made the reader cancel the stream, which must be cancelled. */
    void throwFailure() throws IOException {
        if (failure == null) {
            awaitEnd(); // the source has cancelled the stream and is about to say why
        }
        Throwable cause = failure;
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof InvalidOptionException e) {
            throw e;
        }
        if (cause != null) {
            throw new IllegalStateException("the reader failed: " + cause, cause);
        }
    }

    /**
     * Ends the thread, if need be in the middle of a read that can be interrupted. One that can't goes on alone, and
     * what it gets is lost: the buffer that it writes to stays.
     */
    @Override
    public void close() {
        unwanted = true;
        stream.cancel();
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(ANSWER_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{} reads on, since its source does not answer an interrupt", thread.getName());
        }
    }

    /** An interrupt is kept for later. */
    private void awaitEnd() {
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
            bytesRead = source.fill(stream);
        } catch (StreamCancelledException e) {
            // The consumer stopped, and knows why.
        } catch (IOException | RuntimeException | Error e) {
            if (unwanted) {
                return; // the stream may be closed by now, and nobody asks
            }
            failure = e;
            stream.cancel();
        }
    }
}
