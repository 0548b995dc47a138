// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ShutdownHookManager;

/** Runs a job, says now and then how far it is, and ends it with this process. For one thread. */
public final class ScanProgress {

    private static final int BEFORE_FILE_SYSTEMS_CLOSE = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;
    private static final long POLL_MS = 200;
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOST_TO_END_NS = TimeUnit.SECONDS.toNanos(15);
    private static final double NS_PER_SECOND = 1e9;
    private static final double MEGA = 1e6;
    private static final int SECONDS_PER_MINUTE = 60;

    private final long bytes;
    private final PrintStream err;

    /**
     * Runs nothing yet.
     *
     * @param bytes that all maps read together
     */
    public ScanProgress(long bytes, PrintStream err) {
        this.bytes = bytes;
        this.err = err;
    }

    /** Returns when the job has ended, after so many seconds. */
    public double run(Job job) throws IOException, InterruptedException, ClassNotFoundException {
        Runnable end = () -> kill(job);
        ShutdownHookManager.get().addShutdownHook(end, BEFORE_FILE_SYSTEMS_CLOSE);
        try {
            job.submit();
            long startNs = System.nanoTime();
            long saidNs = startNs;
            while (!job.isComplete()) {
                Thread.sleep(POLL_MS);
                long nowNs = System.nanoTime();
                if (nowNs - saidNs >= PERIOD_NS) {
                    saidNs = nowNs;
                    err.println(line(bytes, job.mapProgress(), (nowNs - startNs) / NS_PER_SECOND));
                }
            }
            return (System.nanoTime() - startNs) / NS_PER_SECOND;
        } finally {
            ShutdownHookManager hooks = ShutdownHookManager.get();
            if (!hooks.isShutdownInProgress()) {
                hooks.removeShutdownHook(end);
            }
        }
    }

    /**
     * What is told.
     *
     * @param done part of all
     * @param seconds that it took so far
     */
    static String line(long bytes, double done, double seconds) {
        double read = done * bytes;
        String left = "nothing is done yet";
        if (done > 0) {
            long secondsLeft = Math.round(seconds * (1 - done) / done);
            left = String.format(
                    Locale.ROOT, "%d:%02d left", secondsLeft / SECONDS_PER_MINUTE, secondsLeft % SECONDS_PER_MINUTE);
        }
        return String.format(
                Locale.ROOT,
                "scanned %.0f of %.0f MB, %.1f MB/s, %s",
                read / MEGA,
                bytes / MEGA,
                read / MEGA / seconds,
                left);
    }

    /**
     * How fast it went.
     *
     * @param cpuSeconds of all tasks
     */
    static String rate(long bytes, double seconds, OptionalDouble cpuSeconds) {
        return String.format(
                        Locale.ROOT,
                        "scanned %.0f MB in %.1f s, %.1f MB/s",
                        bytes / MEGA,
                        seconds,
                        bytes / MEGA / seconds)
                + (cpuSeconds.isPresent()
                        ? String.format(Locale.ROOT, ", %.1f CPU seconds of tasks", cpuSeconds.getAsDouble())
                        : "");
    }

    /** Waits until its tasks are gone, too, or one of them would write into a folder that was just deleted. */
    private void kill(Job job) {
        try {
            job.killJob();
            long endNs = System.nanoTime() + MOST_TO_END_NS;
            while (!job.isComplete() && System.nanoTime() < endNs) {
                Thread.sleep(POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | IllegalStateException e) {
            err.println("scan: the job goes on, as it can't be ended: " + LastAttempt.reason(e));
        }
    }
}
