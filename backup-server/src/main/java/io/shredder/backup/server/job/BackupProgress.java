// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.google.common.base.Stopwatch;
import io.shredder.backup.schedule.RunProgress;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a backup advances: by the image's bytes and the agent's answers, but not keep-alives; and how far it is.
 * Thread-safe.
 */
final class BackupProgress {

    private final String image;
    private final Stopwatch running = Stopwatch.createStarted();
    private LongSupplier counter = () -> 0;
    private LongSupplier read = () -> 0;
    private long imageBytes;
    private long lastCount;
    private final Stopwatch still = Stopwatch.createStarted();

    BackupProgress(String image) {
        this.image = image;
    }

    /**
     * The backup has begun.
     *
     * @param bytes length of the image
     * @param readBytes grows up to that
     * @param growing as anything advances
     */
    synchronized void begins(long bytes, LongSupplier readBytes, LongSupplier growing) {
        imageBytes = bytes;
        read = readBytes;
        counter = growing;
    }

    synchronized RunProgress.Backup now() {
        return new RunProgress.Backup(image, read.getAsLong(), imageBytes, running.elapsed());
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
