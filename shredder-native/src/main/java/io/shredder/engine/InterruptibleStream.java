// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import org.jspecify.annotations.Nullable;

/** Waits for a stream's chunks so that an interrupt of the waiting thread cancels the stream and ends the wait. */
final class InterruptibleStream extends AbstractInterruptibleChannel {

    private final ChunkStream stream;

    InterruptibleStream(ChunkStream stream) {
        this.stream = stream;
    }

    /**
     * As {@link ChunkStream#next}.
     *
     * @throws InterruptedIOException if the thread is interrupted, before or meanwhile; it stays so
     */
    @Nullable
    ChunkBatch next() throws IOException {
        boolean completed = false;
        try {
            try {
                begin();
                ChunkBatch batch = stream.next();
                completed = true;
                return batch;
            } finally {
                end(completed);
            }
        } catch (ClosedByInterruptException e) {
            throw interrupted(e);
        }
    }

    private static InterruptedIOException interrupted(ClosedByInterruptException cause) {
        InterruptedIOException exception = new InterruptedIOException("interrupted while waiting for chunks");
        exception.initCause(cause);
        return exception;
    }

    /** From the thread that interrupts. */
    @Override
    protected void implCloseChannel() {
        stream.cancel();
    }
}
