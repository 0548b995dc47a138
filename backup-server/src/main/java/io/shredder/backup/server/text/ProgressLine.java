// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Shows rate and remaining time on a terminal, if there is one, twice a second, on a thread of its own. */
public final class ProgressLine {

    private static final long INTERVAL_MS = 500;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread thread;

    private ProgressLine(String what, LongSupplier totalBytes, LongSupplier doneBytes) {
        thread = new Thread(() -> show(what, totalBytes, doneBytes), "progress");
        thread.setDaemon(true);
    }

    /** What goes on while the line is shown. */
    public interface Work<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /**
     * Shows the line while the work runs.
     *
     * @param totalBytes 0 if unknown
     * @param doneBytes asked from the line's own thread
     */
    public static <T> T during(String what, long totalBytes, LongSupplier doneBytes, Work<T> work) throws IOException {
        return during(what, () -> totalBytes, doneBytes, work);
    }

    /** The same with a total that is asked for each time, as doneBytes is: an estimate, or 0 while it is unknown. */
    public static <T> T during(String what, LongSupplier totalBytes, LongSupplier doneBytes, Work<T> work)
            throws IOException {
        ProgressLine line = new ProgressLine(what, totalBytes, doneBytes);
        if (isTerminal()) {
            line.thread.start();
        }
        try {
            return work.run();
        } finally {
            line.stop();
        }
    }

    /** Standard error may be a terminal where standard output is a pipe, which {@link System#console} doesn't tell. */
    public static boolean isTerminal() {
        try {
            String file = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    private void show(String what, LongSupplier totalBytes, LongSupplier doneBytes) {
        long startNs = System.nanoTime();
        try {
            while (!done.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
                long doneNow = doneBytes.getAsLong();
                long total = totalBytes.getAsLong();
                System.err.print("\r" + text(what, total, doneNow, System.nanoTime() - startNs));
                System.err.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.err.print("\r\u001b[K");
        System.err.flush();
    }

    static String text(String what, long totalBytes, long doneBytes, long elapsedNs) {
        double perSecond = doneBytes * 1e9 / Math.max(1, elapsedNs);
        StringBuilder line = new StringBuilder(what).append(' ').append(SnapshotText.size(doneBytes));
        line.append(String.format(Locale.ROOT, ", %.0f MB/s", perSecond / 1e6));
        if (totalBytes > 0 && perSecond > 0) {
            long left = Math.max(0, Math.round((totalBytes - doneBytes) / perSecond));
            line.append(String.format(
                    Locale.ROOT, ", %d %%, %d:%02d left", 100 * doneBytes / totalBytes, left / 60, left % 60));
        }
        return line.append("  ").toString();
    }

    private void stop() {
        done.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
