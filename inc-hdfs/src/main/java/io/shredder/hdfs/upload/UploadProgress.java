// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * One line on a terminal, rewritten about once a second: share done, rate, time left. Silent where there is no
 * terminal. Safe for use by several threads.
 */
public final class UploadProgress implements LongConsumer, AutoCloseable {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream terminal;
    private final boolean enabled;
    private final String name;
    private final OptionalLong totalBytes;
    private final long startNanos;
    private long nextNanos;
    private boolean shown;

    /** @param enabled whether {@code terminal} is one */
    public UploadProgress(PrintStream terminal, boolean enabled, String name, OptionalLong totalBytes, long nowNanos) {
        this.terminal = terminal;
        this.enabled = enabled;
        this.name = name;
        this.totalBytes = totalBytes;
        this.startNanos = nowNanos;
        this.nextNanos = nowNanos + NANOS_PER_SECOND;
    }

    @Override
    public void accept(long doneBytes) {
        if (enabled) {
            showAt(doneBytes, System.nanoTime());
        }
    }

    synchronized void showAt(long doneBytes, long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            return;
        }
        nextNanos = nowNanos + NANOS_PER_SECOND;
        shown = true;
        double bytesPerSecond = doneBytes * (double) NANOS_PER_SECOND / (nowNanos - startNanos);
        terminal.print(ERASE_LINE + name + "  "
                + String.format(Locale.ROOT, "%,d bytes  %.1f MB/s", doneBytes, bytesPerSecond / BYTES_PER_MEGABYTE)
                + timeLeft(doneBytes, bytesPerSecond));
        terminal.flush();
    }

    private String timeLeft(long doneBytes, double bytesPerSecond) {
        if (totalBytes.isEmpty() || bytesPerSecond == 0) {
            return "";
        }
        long total = totalBytes.getAsLong();
        long secondsLeft = Math.round((total - doneBytes) / bytesPerSecond);
        return String.format(
                Locale.ROOT, "  %.0f %%  %d:%02d left", 100.0 * doneBytes / total, secondsLeft / 60, secondsLeft % 60);
    }

    /** Takes the line away, so that others can be printed. */
    public synchronized void erase() {
        if (shown) {
            terminal.print(ERASE_LINE);
            terminal.flush();
            shown = false;
        }
    }

    @Override
    public void close() {
        erase();
    }
}
