// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.trial;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Shares a trial's attempts among threads and shows progress. A worker whose attempt failed leaves its folder, with
 * {@code failure.txt} in it, and another takes its place; after {@value #MAX_FAILURES} failures no attempt begins any
 * more.
 */
public final class TrialRun {

    private static final int MAX_FAILURES = 10;
    private static final long PROGRESS_MS = 5_000;

    private final Trial trial;
    private final TrialSettings settings;
    private final PrintStream progress;
    private final Tally tally = new Tally();
    private final AtomicLong begun;
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger folders = new AtomicInteger();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final long startNs = System.nanoTime();

    private TrialRun(Trial trial, TrialSettings settings, PrintStream progress) {
        this.trial = trial;
        this.settings = settings;
        this.progress = progress;
        this.begun = new AtomicLong(settings.first());
    }

    /** Runs a trial to its end. */
    public static TrialOutcome of(Trial trial, TrialSettings settings, PrintStream progress)
            throws InterruptedException {
        return new TrialRun(trial, settings, progress).run();
    }

    private TrialOutcome run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= settings.workers(); i++) {
            Thread thread = new Thread(this::work, trial.name() + "-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                thread.join(PROGRESS_MS);
                if (thread.isAlive()) {
                    progress.println(progressLine());
                }
            }
        }
        double seconds = seconds();
        String more = finish();
        String figures = tally + (more.isEmpty() ? "" : "; " + more);
        return new TrialOutcome(trial.name(), done.get(), settings.count(), seconds, List.copyOf(failures), figures);
    }

    private String finish() {
        try {
            return trial.finish();
        } catch (Throwable e) {
            fail("the end of all", settings.folder().resolve(trial.name() + "-end"), e);
            return "";
        }
    }

    private double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private String progressLine() {
        double rate = done.get() / seconds();
        long leftSeconds = rate > 0 ? Math.round((settings.count() - done.get()) / rate) : 0;
        return String.format(
                Locale.ROOT,
                "%s: %,d of %,d, %.1f/s, %d failed, %d:%02d left",
                trial.name(),
                done.get(),
                settings.count(),
                rate,
                failures.size(),
                leftSeconds / 60,
                leftSeconds % 60);
    }

    private boolean mayBegin() {
        return done.get() < settings.count()
                && failures.size() < MAX_FAILURES
                && System.nanoTime() - startNs < settings.budget().toNanos();
    }

    private void work() {
        while (mayBegin()) {
            Path folder = nextFolder();
            String doing = "preparing";
            try {
                Files.createDirectories(folder);
                try (Trial.Worker worker = trial.open(folder, settings.seed())) {
                    while (mayBegin()) {
                        long attempt = begun.getAndIncrement();
                        doing = "attempt " + attempt;
                        done.addAndGet(worker.attempt(attempt, mix(settings.seed(), attempt), tally));
                    }
                    doing = "the end";
                }
                deleteAll(folder);
            } catch (Throwable e) {
                fail(doing, folder, e);
            }
        }
    }

    /** None that is there: an earlier run left its evidence in it. */
    private Path nextFolder() {
        Path folder;
        do {
            folder = settings.folder().resolve(trial.name() + "-" + folders.incrementAndGet());
        } while (Files.exists(folder));
        return folder;
    }

    private void fail(String doing, Path folder, Throwable error) {
        String line =
                trial.name() + ", " + doing + ", seed " + settings.seed() + ", evidence in " + folder + ": " + error;
        failures.add(line);
        progress.println(line);
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("failure.txt"), line + "\n\n" + trace);
        } catch (IOException e) {
            progress.println("can't write " + folder.resolve("failure.txt") + ": " + e + "\n" + trace);
        }
    }

    /** Another number for each attempt, spread over all longs (SplitMix64's finalizer). */
    static long mix(long seed, long number) {
        long z = seed + (number + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Deletes a folder and all in it. */
    public static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }

    /** Waits for something that another process does. */
    public static void await(String what, long limitMs, Condition condition) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        while (!condition.holds()) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("waited " + limitMs + " ms in vain for " + what);
            }
            Thread.sleep(1);
        }
    }

    /** What {@link #await} waits for. */
    public interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }
}
