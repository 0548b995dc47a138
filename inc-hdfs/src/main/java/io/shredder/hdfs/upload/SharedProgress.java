// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** One line of progress for all files that are copied at once. Safe for use by several threads. */
public final class SharedProgress implements AutoCloseable {

    private final UploadProgress whole;
    private final AtomicLong doneBytes = new AtomicLong();

    /** @param whole of all files together; closed with this */
    public SharedProgress(UploadProgress whole) {
        this.whole = whole;
    }

    /** To be told how much of one file is written so far, in any order. */
    public LongConsumer ofOneFile() {
        AtomicLong told = new AtomicLong();
        return written -> {
            long before = told.getAndAccumulate(written, Math::max);
            if (written > before) {
                whole.accept(doneBytes.addAndGet(written - before));
            }
        };
    }

    /** Takes the line away, so that others can be printed. */
    public void erase() {
        whole.erase();
    }

    @Override
    public void close() {
        whole.close();
    }
}
