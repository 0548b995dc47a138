// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * All the buffers that one upload may hold; whoever wants one more than there are waits until one comes back, which is
 * what holds the reader back. Made when first needed. Once the upload has failed nobody waits: the failure goes to
 * whoever asks. Safe for use by several threads.
 */
final class UploadBuffers {

    private final int most;
    private final Deque<UploadBuffer> idle = new ArrayDeque<>();
    private int made;
    private @Nullable IOException failure;

    /** @param bytes of all buffers together, rounded up to whole ones */
    UploadBuffers(long bytes) {
        this.most = Math.toIntExact((bytes + UploadBuffer.BYTES - 1) / UploadBuffer.BYTES);
    }

    /**
     * An empty buffer; blocks while all are in use.
     *
     * @throws IOException the upload's failure
     */
    synchronized UploadBuffer acquire() throws IOException {
        try {
            while (failure == null && idle.isEmpty() && made == most) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for HDFS to take bytes");
        }
        if (failure != null) {
            throw failure;
        }
        return idle.isEmpty() ? make() : idle.pop();
    }

    private UploadBuffer make() {
        made++;
        return new UploadBuffer();
    }

    /** Gives a buffer back. */
    synchronized void release(UploadBuffer buffer) {
        buffer.clear();
        idle.push(buffer);
        notifyAll();
    }

    /** Says that the upload has failed; the first failure counts. */
    synchronized void fail(IOException reason) {
        if (failure == null) {
            failure = reason;
        }
        notifyAll();
    }
}
