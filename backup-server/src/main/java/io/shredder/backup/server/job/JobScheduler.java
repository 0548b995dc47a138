// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.schedule.Timetable;
import io.shredder.backup.server.schedule.Turn;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts jobs when they are due. One thread, {@code job-scheduler}, asks each job's timetable; each run has a thread
 * {@code job-NAME}; a job never runs twice at once. A new configuration takes the place of the old one for everything
 * that starts after it.
 *
 * <p>All fields are guarded by the scheduler itself. Closing it interrupts runs and waits for them, hooks included.
 */
public final class JobScheduler implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(JobScheduler.class);
    /** The longest sleep: clocks are set, and machines suspended. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(20);

    private final RunHistory history;
    private final JobEvents events;
    private final Clock clock;
    private final Thread thread = new Thread(this::run, "job-scheduler");
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private BackupSite site;
    private boolean stopping;

    /** A job and how it stands. */
    private static final class Job {
        private JobConfig config;
        private @Nullable Thread run;
        private Optional<JobRun> progress = Optional.empty();
        private boolean present = true;
        private Optional<Instant> lastEnd = Optional.empty();
        private Optional<Boolean> lastOk = Optional.empty();
        private Optional<Instant> nextStart = Optional.empty();

        Job(JobConfig config) {
            this.config = config;
        }
    }

    private JobScheduler(BackupSite site, RunHistory history, JobEvents events, Clock clock) {
        this.site = site;
        this.history = history;
        this.events = events;
        this.clock = clock;
    }

    /** Starts to schedule. */
    public static JobScheduler start(BackupSite site, RunHistory history, JobEvents events, Clock clock)
            throws IOException {
        JobScheduler scheduler = new JobScheduler(site, history, events, clock);
        scheduler.configure(site);
        scheduler.thread.start();
        return scheduler;
    }

    /** Takes another configuration: running jobs end as they began, jobs that are not in it don't start again. */
    public synchronized void configure(BackupSite next) throws IOException {
        for (JobConfig job : next.config().jobs()) {
            if (job.timetable().isPresent() && history.handled(job.name()).isEmpty()) {
                history.setHandled(job.name(), clock.instant());
            }
        }
        site = next;
        jobs.values().forEach(job -> job.present = false);
        for (JobConfig config : next.config().jobs()) {
            Job job = jobs.computeIfAbsent(config.name(), name -> new Job(config));
            job.config = config;
            job.present = true;
        }
        jobs.values().removeIf(job -> !job.present && job.run == null);
        notifyAll();
    }

    private synchronized void run() {
        try {
            while (!stopping) {
                Instant now = clock.instant();
                long sleepMs = LONGEST_SLEEP.toMillis();
                for (Job job : List.copyOf(jobs.values())) {
                    job.progress.ifPresent(JobRun::stillFor);
                    Optional<Instant> start = consider(job, now);
                    if (start.isPresent()) {
                        long untilMs = Duration.between(now, start.get()).toMillis() + 1;
                        sleepMs = Math.max(1, Math.min(sleepMs, untilMs));
                    }
                }
                wait(sleepMs);
            }
        } catch (InterruptedException e) {
            LOG.error("the scheduler was interrupted: no job starts any more");
        }
    }

    /** Starts the job if it is due; returns when to look again. */
    private Optional<Instant> consider(Job job, Instant now) {
        Optional<Timetable> timetable = job.config.timetable();
        String name = job.config.name();
        if (!job.present || job.run != null || timetable.isEmpty()) {
            return Optional.empty();
        }
        long seed = history.seed() ^ name.hashCode();
        Turn turn = timetable.get().turn(history.handled(name).orElse(now), now, seed);
        job.nextStart = Optional.of(turn.time());
        if (turn.what() == Turn.What.WAIT) {
            return job.nextStart;
        }
        try {
            history.setHandled(name, turn.time());
        } catch (IOException e) {
            LOG.error("job {} is not started: {}", name, CommandErrors.describe(e));
            return Optional.of(now.plus(LONGEST_SLEEP));
        }
        if (turn.what() == Turn.What.RUN) {
            launch(job);
        } else {
            LOG.warn("job {} missed its time {}, and waits for the next", name, turn.time());
            events.jobMissed(name);
        }
        return Optional.of(now);
    }

    private void launch(Job job) {
        BackupSite runSite = site;
        JobConfig config = job.config;
        Thread runner = new Thread(() -> runJob(job, runSite, config), "job-" + config.name());
        job.run = runner;
        runner.start();
    }

    private void runJob(Job job, BackupSite runSite, JobConfig config) {
        AtomicBoolean ok = new AtomicBoolean(true);
        LOG.info("job {} starts: {} images", config.name(), config.images().size());
        events.jobStarted(config.name());
        try {
            JobRun run = new JobRun(runSite, config, outcome -> {
                ok.compareAndSet(true, outcome.succeeded());
                outcome.report().ifPresent(report -> {
                    LOG.info("{}", report);
                    report.warnings().forEach(LOG::warn);
                });
                outcome.error().ifPresent(error -> LOG.error("image {}: {}", outcome.image(), error));
                events.imageEnded(config.name(), outcome);
                runSite.takeKeepers().ifPresent(events::keepersSeen);
            });
            setProgress(job, Optional.of(run));
            run.run();
        } catch (RuntimeException | Error e) {
            ok.set(false);
            LOG.error("job {} ended by an unexpected error, please report it", config.name(), e);
        }
        ended(job, config.name(), ok.get());
    }

    private void ended(Job job, String name, boolean ok) {
        LOG.info("job {} ended: {}", name, ok ? "ok" : "failed");
        events.jobEnded(name, ok);
        synchronized (this) {
            job.run = null;
            job.progress = Optional.empty();
            job.lastEnd = Optional.of(clock.instant());
            job.lastOk = Optional.of(ok);
            if (!job.present) {
                jobs.remove(name, job);
            }
            notifyAll();
        }
    }

    private synchronized void setProgress(Job job, Optional<JobRun> run) {
        job.progress = run;
    }

    /** How all jobs stand. */
    public synchronized List<JobStatus> status() {
        List<JobStatus> all = new ArrayList<>();
        jobs.forEach((name, job) ->
                all.add(new JobStatus(name, job.run != null, stalledFor(job), job.lastEnd, job.lastOk, job.nextStart)));
        return all;
    }

    private Optional<Duration> stalledFor(Job job) {
        return job.progress
                .map(JobRun::stillFor)
                .filter(still -> still.compareTo(site.config().stalledAfter()) >= 0);
    }

    /** Whether jobs are still started when due. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void close() {
        List<Thread> runs = new ArrayList<>();
        synchronized (this) {
            stopping = true;
            notifyAll();
            for (Job job : jobs.values()) {
                Thread run = job.run;
                if (run != null) {
                    run.interrupt();
                    runs.add(run);
                }
            }
        }
        runs.add(thread);
        runs.forEach(Uninterruptibles::joinUninterruptibly);
    }
}
