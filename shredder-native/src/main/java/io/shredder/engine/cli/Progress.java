// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.engine.ChunkBatch;
import java.nio.file.Path;
import java.util.Locale;

/** How far a file is, on one line of the terminal; shown only where {@code bin/shredder} saw one. For one thread. */
final class Progress {

    private static final boolean TERMINAL = Boolean.getBoolean("shredder.progress");
    private static final long INTERVAL_NANOS = 200_000_000;

    private final Path file;
    private final long totalBytes;
    private final long startNanos = System.nanoTime();
    private long shownNanos = startNanos;
    private boolean shown;
    private long bytes;
    private long chunks;

    /**
     * Of a file.
     *
     * @param totalBytes 0 if not known
     */
    Progress(Path file, long totalBytes) {
        this.file = file;
        this.totalBytes = totalBytes;
    }

    void add(ChunkBatch batch) {
        int last = batch.count() - 1;
        bytes += batch.offset(last) + batch.length(last) - batch.offset(0);
        chunks += batch.count();
    }

    /** Bytes that are no chunks. */
    void add(long more) {
        bytes += more;
    }

    void show() {
        long now = System.nanoTime();
        if (!TERMINAL || now - shownNanos < INTERVAL_NANOS) {
            return;
        }
        shownNanos = now;
        shown = true;
        System.err.print("\r\033[K" + line());
    }

    void clear() {
        if (shown) {
            System.err.print("\r\033[K");
        }
    }

    long bytes() {
        return bytes;
    }

    long chunks() {
        return chunks;
    }

    double averageBytes() {
        return chunks == 0 ? 0 : (double) bytes / chunks;
    }

    double bytesPerSecond() {
        return bytes * 1e9 / Math.max(1, System.nanoTime() - startNanos);
    }

    private String line() {
        String rate = SizeOption.format(bytesPerSecond()) + "/s";
        if (totalBytes == 0) {
            return String.format(Locale.ROOT, "%s  %s  %s", file, SizeOption.format(bytes), rate);
        }
        double secondsLeft = Math.max(0, totalBytes - bytes) / bytesPerSecond();
        return String.format(
                Locale.ROOT, "%s  %d%%  %s  ETA %.0f s", file, 100 * bytes / totalBytes, rate, secondsLeft);
    }
}
