// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.google.common.base.Stopwatch;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.schedule.RunProgress;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.config.ImageConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.trust.BrokenTrustException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One run of a job: each image and machine through hook, backup, hook, on up to as many threads as the job
 * allows, {@code backup-JOB-N}; failed ones again. An interrupt of the thread that runs it ends the run; hooks that
 * come after still run then.
 */
public final class JobRun {

    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

    /** For hooks after a backup that was given up. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final BackupSite site;
    private final JobConfig job;
    private final Consumer<SourceOutcome> outcomes;
    private final BackupSite.JobPaces paces;
    private final RunLimit limit;
    private final Set<BackupProgress> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<SitePlaces.Place> places = ConcurrentHashMap.newKeySet();
    private final Queue<Throwable> untold = new ConcurrentLinkedQueue<>();

    /**
     * A run to be started.
     *
     * @param outcomes gets each image's and machine's as it ends, from several threads
     */
    public JobRun(BackupSite site, JobConfig job, Consumer<SourceOutcome> outcomes) {
        this.site = site;
        this.job = job;
        this.outcomes = outcomes;
        this.paces = site.paces(job);
        this.limit = new RunLimit(job.timeLimit(), GRACE);
    }

    /**
     * Runs it until all images are done, or given up after its time or an interrupt, which is kept.
     *
     * @throws IllegalStateException at its end if who gets the outcomes failed to take one
     */
    public void run() {
        Queue<SourceConfig> sources = new ConcurrentLinkedQueue<>(job.sources());
        List<Thread> workers = new ArrayList<>();
        for (int i = 1; i <= Math.min(job.concurrency(), job.sources().size()); i++) {
            Thread worker = new Thread(() -> work(sources), "backup-" + job.name() + "-" + i);
            try {
                worker.start();
            } catch (OutOfMemoryError e) { // The system gives no thread.
                LOG.error(
                        "job {} has {} of {} threads: {}", job.name(), workers.size(), job.concurrency(), e.toString());
                break;
            }
            workers.add(worker);
        }
        limit.join(workers, this::letOthersGoOn);
        if (workers.isEmpty()) {
            sources.forEach(source -> tell(failed(source, new IOException("there is no thread for it"))));
        }
        untold.forEach(e -> {
            throw new IllegalStateException("what became of an image was not told everybody", e);
        });
    }

    /** Something that a backup reads from doesn't let go of its thread. */
    private void letOthersGoOn() {
        LOG.error("job {} is over its time limit and doesn't end: what its backups read from hangs", job.name());
        places.forEach(SitePlaces.Place::close);
    }

    /** For how long nothing has advanced of one of the backups that are under way; not at all if none is. */
    Duration stillFor() {
        return underWay.stream()
                .map(BackupProgress::stillFor)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** The run is about to be interrupted, for this reason. */
    void ending(String why) {
        limit.ending(why);
    }

    /** Whether images wait for a place, and none has one. */
    boolean waitsForPlace() {
        return waiting.get() > 0 && places.isEmpty();
    }

    /** How far it is. */
    RunProgress progress() {
        return new RunProgress(
                done.get(),
                job.sources().size(),
                underWay.stream()
                        .map(BackupProgress::now)
                        .sorted(Comparator.comparing(RunProgress.Backup::image))
                        .toList());
    }

    private void work(Queue<SourceConfig> sources) {
        for (SourceConfig source = sources.poll(); source != null; source = sources.poll()) {
            MDC.put("job", job.name());
            MDC.put("image", source.name().value());
            tell(outcome(source));
            done.incrementAndGet();
            MDC.clear();
        }
    }

    /** Whoever fails to hear of one hears of the others. */
    private void tell(SourceOutcome outcome) {
        try {
            outcomes.accept(outcome);
        } catch (RuntimeException | Error e) {
            LOG.error("what became of an image was not told everybody, please report it", e);
            untold.add(e);
        }
    }

    /** Whatever happens, there is one: what nobody hears of would pass for done. */
    private SourceOutcome outcome(SourceConfig source) {
        try {
            return withRetries(source);
        } catch (RuntimeException | Error e) {
            return failed(source, died(source, e));
        }
    }

    /** As which it is told that there was no memory, no thread, or a bug. */
    private static IOException died(SourceConfig source, Throwable by) {
        LOG.error("{} could not be backed up", source.name(), by);
        return new IOException("the backup failed by " + by + ": see the log", by);
    }

    private static SourceOutcome failed(SourceConfig source, IOException why) {
        Attempt attempt = Attempt.failed(why);
        return source instanceof ImageConfig
                ? attempt.image(source.name().value(), Optional.empty(), Duration.ZERO)
                : attempt.machine(source.name().value(), Optional.empty(), Duration.ZERO);
    }

    /** A machine of which one disk failed is tried again whole: all its disks are of one moment. */
    private SourceOutcome withRetries(SourceConfig source) {
        Stopwatch watch = Stopwatch.createStarted();
        Attempt attempt = inPlace(source);
        for (int left = job.retry().times(); left > 0 && !attempt.isWhole() && waitToRetry(attempt); left--) {
            attempt = inPlace(source);
        }
        Optional<String> givenUp = !attempt.isWhole() && limit.isOver() ? Optional.of(limit.text()) : Optional.empty();
        return source instanceof ImageConfig
                ? attempt.image(source.name().value(), givenUp, watch.elapsed())
                : attempt.machine(source.name().value(), givenUp, watch.elapsed());
    }

    /**
     * One try.
     *
     * @param made what came of it, if it came so far
     * @param error why not, or what was wrong all the same
     * @param agentWentBack whether it did not since the agent shows less than it had, or other than was committed
     */
    private record Attempt(Optional<SourceReport> made, Optional<String> error, boolean agentWentBack) {

        static Attempt failed(Exception e) {
            return new Attempt(Optional.empty(), Optional.of(CommandErrors.describe(e)), BrokenTrustException.isWhy(e));
        }

        /** Whether there are all snapshots that there should be. */
        boolean isWhole() {
            return made.filter(SourceReport::isWhole).isPresent();
        }

        /** What went wrong, in a line. */
        String wrong() {
            return error.or(() -> made.map(SourceReport::errors)).orElse("");
        }

        ImageOutcome image(String name, Optional<String> givenUp, Duration elapsed) {
            Optional<BackupReport> report =
                    made.flatMap(source -> source.parts().get(0).report());
            return new ImageOutcome(name, report, givenUp.or(() -> error), agentWentBack, elapsed);
        }

        MachineOutcome machine(String name, Optional<String> givenUp, Duration elapsed) {
            List<ImageOutcome> images = new ArrayList<>();
            for (SourceReport.Part part : made.map(SourceReport::parts).orElse(List.of())) {
                Duration own = part.report().map(BackupReport::elapsed).orElse(Duration.ZERO);
                images.add(new ImageOutcome(part.series(), part.report(), part.error(), part.agentWentBack(), own));
            }
            return new MachineOutcome(
                    name,
                    images,
                    givenUp.or(() -> error),
                    agentWentBack,
                    made.map(SourceReport::warnings).orElse(List.of()),
                    made.flatMap(SourceReport::frozen),
                    elapsed);
        }
    }

    private boolean waitToRetry(Attempt failed) {
        LOG.warn("{}; trying again in {} s", failed.wrong(), job.retry().after().toSeconds());
        try {
            TimeUnit.MILLISECONDS.sleep(job.retry().after().toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Attempt inPlace(SourceConfig source) {
        SitePlaces.Place place;
        waiting.incrementAndGet();
        try {
            place = site.enter();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Attempt.failed(new IOException("the backup was given up", e));
        } finally {
            waiting.decrementAndGet();
        }
        places.add(place);
        try (place) {
            return attempt(source);
        } finally {
            places.remove(place);
        }
    }

    private Attempt attempt(SourceConfig source) {
        Attempt attempt;
        try {
            HookProgram.run(
                    source.hooks().before(), variables(source), source.hooks().timeLimit());
            attempt = new Attempt(Optional.of(backUp(source)), Optional.empty(), false);
        } catch (IOException | RuntimeException e) {
            attempt = Attempt.failed(e);
        } catch (Error e) { // What was frozen must thaw all the same.
            attempt = Attempt.failed(died(source, e));
        }
        return after(source, attempt);
    }

    private SourceReport backUp(SourceConfig source) throws IOException {
        BackupProgress progress = new BackupProgress(source.name().value());
        underWay.add(progress);
        try {
            return site.backUp(job, source, paces, progress);
        } finally {
            underWay.remove(progress);
        }
    }

    /** Runs whatever came of the backup, to its end, also when that was interrupted: what was frozen must thaw. */
    private Attempt after(SourceConfig source, Attempt attempt) {
        Map<String, String> variables = variables(source);
        variables.put("SHREDDER_RESULT", attempt.isWhole() ? "ok" : "failed");
        variables.put(
                "SHREDDER_SNAPSHOT", attempt.made().map(SourceReport::snapshots).orElse(""));
        try {
            HookProgram.runThrough(
                    source.hooks().after(), variables, source.hooks().timeLimit());
            return attempt;
        } catch (IOException e) {
            String also = attempt.error().map(error -> error + "; and ").orElse("") + e.getMessage();
            return new Attempt(attempt.made(), Optional.of(also), attempt.agentWentBack());
        }
    }

    private Map<String, String> variables(SourceConfig source) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("SHREDDER_JOB", job.name());
        variables.put("SHREDDER_IMAGE", source.name().value());
        variables.put("SHREDDER_SOURCE", source.place());
        return variables;
    }
}
