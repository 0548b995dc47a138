// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.google.common.base.Stopwatch;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.config.ImageConfig;
import io.shredder.backup.server.config.JobConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One run of a job: each image through hook, backup, hook, on up to as many threads as the job
 * allows, {@code backup-JOB-N}; failed ones again. An interrupt of the thread that runs it ends the run; hooks that
 * come after still run then.
 */
public final class JobRun {

    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

    /** For hooks after a backup that was given up. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final BackupSite site;
    private final JobConfig job;
    private final Consumer<ImageOutcome> outcomes;
    private final BackupSite.JobPaces paces;
    private final RunLimit limit;
    private final Set<BackupProgress> underWay = ConcurrentHashMap.newKeySet();
    private final Set<BackupSite.Place> places = ConcurrentHashMap.newKeySet();

    /**
     * A run to be started.
     *
     * @param outcomes gets each image's as it ends, from several threads
     */
    public JobRun(BackupSite site, JobConfig job, Consumer<ImageOutcome> outcomes) {
        this.site = site;
        this.job = job;
        this.outcomes = outcomes;
        this.paces = new BackupSite.JobPaces(BackupSite.pace(job.bandwidth()), BackupSite.pace(job.readBandwidth()));
        this.limit = new RunLimit(job.timeLimit(), GRACE);
    }

    /** Runs it until all images are done, or given up after its time or an interrupt, which is kept. */
    public void run() {
        Queue<ImageConfig> images = new ConcurrentLinkedQueue<>(job.images());
        List<Thread> workers = new ArrayList<>();
        for (int i = 1; i <= Math.min(job.concurrency(), job.images().size()); i++) {
            Thread worker = new Thread(() -> work(images), "backup-" + job.name() + "-" + i);
            workers.add(worker);
            worker.start();
        }
        limit.join(workers, this::letOthersGoOn);
    }

    /** Something that a backup reads from doesn't let go of its thread. */
    private void letOthersGoOn() {
        LOG.error("job {} is over its time limit and doesn't end: what its backups read from hangs", job.name());
        places.forEach(BackupSite.Place::close);
    }

    /** For how long nothing has advanced of one of the backups that are under way; not at all if none is. */
    Duration stillFor() {
        return underWay.stream()
                .map(BackupProgress::stillFor)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private void work(Queue<ImageConfig> images) {
        for (ImageConfig image = images.poll(); image != null; image = images.poll()) {
            MDC.put("job", job.name());
            MDC.put("image", image.name().value());
            ImageOutcome outcome = withRetries(image);
            outcomes.accept(outcome);
            MDC.clear();
        }
    }

    private ImageOutcome withRetries(ImageConfig image) {
        Stopwatch watch = Stopwatch.createStarted();
        Attempt attempt = inPlace(image);
        for (int left = job.retry().times(); left > 0 && attempt.report().isEmpty() && waitToRetry(attempt); left--) {
            attempt = inPlace(image);
        }
        boolean givenUp = attempt.report().isEmpty() && limit.isOver();
        Optional<String> error = givenUp ? Optional.of(limit.text()) : attempt.error();
        return new ImageOutcome(image.name().value(), attempt.report(), error, watch.elapsed());
    }

    /** One try. */
    private record Attempt(Optional<BackupReport> report, Optional<String> error) {
        static Attempt failed(Exception e) {
            return new Attempt(Optional.empty(), Optional.of(CommandErrors.describe(e)));
        }
    }

    private boolean waitToRetry(Attempt failed) {
        LOG.warn(
                "{}; trying again in {} s",
                failed.error().orElse(""),
                job.retry().after().toSeconds());
        try {
            TimeUnit.MILLISECONDS.sleep(job.retry().after().toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Attempt inPlace(ImageConfig image) {
        BackupSite.Place place;
        try {
            place = site.enter();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Attempt.failed(new IOException("the backup was given up", e));
        }
        places.add(place);
        try (place) {
            return attempt(image);
        } finally {
            places.remove(place);
        }
    }

    private Attempt attempt(ImageConfig image) {
        Attempt attempt;
        try {
            HookProgram.run(
                    image.hooks().before(), variables(image), image.hooks().timeLimit());
            attempt = new Attempt(Optional.of(backUp(image)), Optional.empty());
        } catch (IOException | RuntimeException e) {
            attempt = Attempt.failed(e);
        }
        return after(image, attempt);
    }

    private BackupReport backUp(ImageConfig image) throws IOException {
        BackupProgress progress = new BackupProgress();
        underWay.add(progress);
        try {
            return site.backUp(job, image, paces, progress);
        } finally {
            underWay.remove(progress);
        }
    }

    /** Runs whatever came of the backup, also when it was interrupted: what was frozen must thaw. */
    private Attempt after(ImageConfig image, Attempt attempt) {
        boolean interrupted = Thread.interrupted();
        Map<String, String> variables = variables(image);
        variables.put("SHREDDER_RESULT", attempt.report().isPresent() ? "ok" : "failed");
        variables.put(
                "SHREDDER_SNAPSHOT",
                attempt.report()
                        .map(report -> report.snapshot().name() + "@"
                                + report.snapshot().id())
                        .orElse(""));
        try {
            HookProgram.run(image.hooks().after(), variables, image.hooks().timeLimit());
            return attempt;
        } catch (IOException e) {
            String also = attempt.error().map(error -> error + "; and ").orElse("") + e.getMessage();
            return new Attempt(attempt.report(), Optional.of(also));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Map<String, String> variables(ImageConfig image) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("SHREDDER_JOB", job.name());
        variables.put("SHREDDER_IMAGE", image.name().value());
        variables.put("SHREDDER_SOURCE", image.address().toString());
        return variables;
    }
}
