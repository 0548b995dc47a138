// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.google.common.base.Stopwatch;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Whether a backup advances: by the image's bytes and the agent's answers, but not keep-alives. Thread-safe. */
final class BackupProgress {

    private LongSupplier counter = () -> 0;
    private long lastCount;
    private final Stopwatch still = Stopwatch.createStarted();

    /** The backup has begun, and this grows as it advances. */
    synchronized void counts(LongSupplier growing) {
        counter = growing;
    }

    /** For how long nothing has advanced, as far as calls of this have seen. */
    synchronized Duration stillFor() {
        long count = counter.getAsLong();
        if (count != lastCount) {
            lastCount = count;
            still.reset().start();
        }
        return still.elapsed();
    }
}
