// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import com.google.common.util.concurrent.Uninterruptibles;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts jobs when they are due. One thread, {@code job-scheduler}, asks each job's timetable; each run has a thread
 * {@code job-NAME}; a job never runs twice at once, nor begins in its quiet times. A new configuration takes the place
 * of the old one for everything that starts after it.
 *
 * <p>All fields are guarded by the scheduler itself. Closing it ends runs and waits for them, hooks included.
 */
public final class JobScheduler implements JobControl, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(JobScheduler.class);
    /** The longest sleep: clocks are set, and machines suspended. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(20);

    private final RunHistory history;
    private final RunEvents events;
    private final SeenTimes seen;
    private final Clock clock;
    private final Thread thread = new Thread(this::run, "job-scheduler");
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private Duration stalledAfter = Duration.ZERO;
    private boolean stopping;

    /** A job and how it stands. */
    private static final class Job {
        private Planned planned;
        private @Nullable Thread run;
        private Optional<Planned.Run> progress = Optional.empty();
        private boolean present = true;
        private boolean waitsForQuiet;
        private Optional<Instant> scheduled = Optional.empty();
        private boolean endedForQuiet;
        /** Somebody wants this run now, quiet times or not. */
        private boolean wanted;

        private boolean stopped;

        private Optional<Instant> lastEnd = Optional.empty();
        private Optional<Boolean> lastOk = Optional.empty();
        private Optional<Instant> nextStart = Optional.empty();

        Job(Planned planned) {
            this.planned = planned;
        }
    }

    private JobScheduler(RunHistory history, RunEvents events, Clock clock) {
        this.history = history;
        this.events = new GuardedEvents(events);
        this.seen = new SeenTimes(history, this.events);
        this.clock = clock;
    }

    /** Starts to schedule. */
    public static JobScheduler start(Plan plan, RunHistory history, RunEvents events, Clock clock) throws IOException {
        JobScheduler scheduler = new JobScheduler(history, events, clock);
        scheduler.configure(plan);
        scheduler.thread.start();
        return scheduler;
    }

    /**
     * What is to be started.
     *
     * @param all with names of their own
     * @param stalledAfter what does not advance for so long is shown as stalled
     */
    public record Plan(List<? extends Planned> all, Duration stalledAfter) {

        /** Keeps a copy. */
        public Plan {
            all = List.copyOf(all);
        }
    }

    /** Takes another plan: running jobs end as they began, jobs that are not in it don't start again. */
    public synchronized void configure(Plan next) throws IOException {
        for (Planned planned : next.all()) {
            if (planned.timetable().isPresent()) {
                seen.begin(planned.name(), clock.instant());
            }
        }
        stalledAfter = next.stalledAfter();
        jobs.values().forEach(job -> job.present = false);
        for (Planned planned : next.all()) {
            Job job = jobs.computeIfAbsent(planned.name(), name -> new Job(planned));
            job.planned = planned;
            job.present = true;
        }
        jobs.values().removeIf(job -> !job.present && job.run == null);
        notifyAll();
    }

    private synchronized void run() {
        try {
            while (!stopping) {
                Instant now = clock.instant();
                long untilMs = Duration.between(now, look(now)).toMillis() + 1;
                wait(Math.max(1, untilMs));
            }
        } catch (InterruptedException e) {
            LOG.error("the scheduler was interrupted: no job starts any more");
        }
    }

    /**
     * Starts what is due now, without waiting until the thread looks again: for a clock that jumped. Of a job's times
     * that have gone by one a call.
     *
     * @return whether there may be more
     */
    public synchronized boolean look() {
        if (stopping) {
            return false;
        }
        Instant now = clock.instant();
        return !look(now).isAfter(now);
    }

    /** Starts what is due, and ends what is to be quiet; returns when to look again. */
    private Instant look(Instant now) {
        Instant again = now.plus(LONGEST_SLEEP);
        for (Job job : List.copyOf(jobs.values())) {
            job.progress.ifPresent(Planned.Run::stillFor);
            Instant next = job.run == null ? consider(job, now) : beQuiet(job, now);
            again = next.isBefore(again) ? next : again;
        }
        return again;
    }

    /** Starts the job if it is due; returns when to look again. */
    private Instant consider(Job job, Instant now) {
        Optional<Timetable> timetable = job.planned.timetable();
        String name = job.planned.name();
        job.waitsForQuiet = false;
        if (!job.present || timetable.isEmpty()) {
            return Instant.MAX;
        }
        QuietTimes quiet = job.planned.quiet();
        long seed = history.seed() ^ name.hashCode();
        Turn turn = timetable.get().turn(seen.latest(name, now), now, seed);
        if (turn.what() == Turn.What.WAIT) {
            job.nextStart = Optional.of(timetable.get().isMadeUpFor() ? quiet.endOf(turn.time()) : turn.time());
            return turn.time();
        }
        boolean isQuiet = turn.what() == Turn.What.RUN && quiet.contains(now);
        if (isQuiet && timetable.get().isMadeUpFor()) {
            job.waitsForQuiet = true;
            job.nextStart = Optional.of(quiet.endOf(now));
            return quiet.endOf(now);
        }
        job.nextStart = Optional.of(turn.time());
        if (!seen.remember(job.planned, turn.time())) {
            return now.plus(LONGEST_SLEEP);
        }
        Optional<Instant> paused = pausedUntil(name, now);
        if (isQuiet) {
            LOG.info("job {} leaves out its time {}, which is quiet", name, turn.time());
        } else if (turn.what() == Turn.What.RUN && paused.isEmpty()) {
            job.scheduled = Optional.of(turn.time());
            launch(job);
        } else {
            LOG.warn(
                    "job {} missed its time {}, and waits for the next{}",
                    name,
                    turn.time(),
                    paused.map(until -> ": it is paused until " + until).orElse(""));
            events.jobMissed(name);
        }
        return now;
    }

    /** Ends a run if quiet times have begun that say so; returns when to look again. */
    private Instant beQuiet(Job job, Instant now) {
        QuietTimes quiet = job.planned.quiet();
        Thread run = job.run;
        boolean goesOn = job.wanted || quiet.underWay() == QuietTimes.UnderWay.GO_ON;
        if (goesOn || job.endedForQuiet || run == null) {
            return Instant.MAX;
        } else if (!quiet.contains(now)) {
            return quiet.beginOf(now);
        }
        LOG.warn("job {} is ended by its quiet times, and tried again {}", job.planned.name(), triedAgain(job));
        job.endedForQuiet = true;
        job.progress.ifPresent(each -> end(job, run, each));
        return Instant.MAX;
    }

    /** The reason is said in the words of who asked for it; a daemon that stops needs none. */
    private void end(Job job, Thread runner, Planned.Run run) {
        Optional<String> why = Optional.empty();
        if (job.stopped) {
            why = Optional.of("it was stopped at the console");
        } else if (job.endedForQuiet) {
            why = Optional.of("quiet times began; it is tried again " + triedAgain(job));
        }
        run.end(runner, why);
    }

    private String triedAgain(Job job) {
        return isMadeUpFor(job) ? "after " + job.planned.quiet().endOf(clock.instant()) : "at its next time";
    }

    private static boolean isMadeUpFor(Job job) {
        return job.planned.timetable().filter(Timetable::isMadeUpFor).isPresent();
    }

    private Optional<Instant> pausedUntil(String name, Instant now) {
        return history.pausedUntil(name).filter(now::isBefore);
    }

    @Override
    public synchronized Said start(String name) {
        Optional<Job> job = present(name);
        if (job.isEmpty() || stopping) {
            return stopping ? Said.ENDS : Said.UNKNOWN;
        } else if (job.get().run != null) {
            return Said.RUNS;
        }
        job.get().scheduled = Optional.empty();
        job.get().wanted = true;
        launch(job.get());
        return Said.DONE;
    }

    @Override
    public synchronized Said stop(String name) {
        Job job = jobs.get(name);
        if (job == null) {
            return Said.UNKNOWN;
        }
        Thread run = job.run;
        if (run == null) {
            return Said.RESTS;
        }
        job.stopped = true; // One that is about to begin sees it.
        job.progress.ifPresent(each -> end(job, run, each));
        return Said.DONE;
    }

    @Override
    public synchronized Said pause(String name, Instant until) throws IOException {
        if (present(name).isEmpty()) {
            return Said.UNKNOWN;
        }
        history.setPausedUntil(name, Optional.of(until));
        return Said.DONE;
    }

    @Override
    public synchronized Said resume(String name) throws IOException {
        if (present(name).isEmpty()) {
            return Said.UNKNOWN;
        }
        history.setPausedUntil(name, Optional.empty());
        return Said.DONE;
    }

    @Override
    public Optional<Instant> pausedUntil(String name) {
        return pausedUntil(name, clock.instant());
    }

    private Optional<Job> present(String name) {
        return Optional.ofNullable(jobs.get(name)).filter(job -> job.present);
    }

    private void launch(Job job) {
        Planned planned = job.planned;
        Thread runner = new Thread(() -> runJob(job, planned), "job-" + planned.name());
        job.run = runner;
        runner.start();
    }

    private void runJob(Job job, Planned planned) {
        boolean ok = false;
        LOG.info("job {} starts", planned.name());
        events.jobStarted(planned.name());
        try {
            Planned.Run run = planned.begin();
            begun(job, run);
            ok = run.run();
        } catch (RuntimeException | Error e) {
            LOG.error("job {} ended by an unexpected error, please report it", planned.name(), e);
        }
        ended(job, planned.name(), ok);
    }

    private void ended(Job job, String name, boolean ok) {
        LOG.info("job {} ended: {}", name, ok ? "ok" : "failed");
        events.jobEnded(name, ok);
        synchronized (this) {
            job.run = null;
            job.progress = Optional.empty();
            if (job.endedForQuiet && !ok && isMadeUpFor(job)) {
                job.scheduled.ifPresent(time -> seen.owe(name, time));
            }
            job.endedForQuiet = false;
            job.wanted = false;
            job.stopped = false;
            job.lastEnd = Optional.of(clock.instant());
            job.lastOk = Optional.of(ok);
            if (!job.present) {
                jobs.remove(name, job);
            }
            notifyAll();
        }
    }

    private synchronized void begun(Job job, Planned.Run run) {
        job.progress = Optional.of(run);
        if (stopping || job.stopped || job.endedForQuiet) {
            end(job, Thread.currentThread(), run);
        }
    }

    @Override
    public synchronized List<JobStatus> status() {
        List<JobStatus> all = new ArrayList<>();
        jobs.forEach((name, job) -> all.add(new JobStatus(
                name,
                job.run != null,
                waits(job),
                stalledFor(job),
                job.lastEnd,
                job.lastOk,
                job.nextStart,
                job.progress.flatMap(Planned.Run::progress))));
        return all;
    }

    private static Optional<JobStatus.Wait> waits(Job job) {
        if (job.waitsForQuiet) {
            return Optional.of(JobStatus.Wait.QUIET);
        }
        return job.progress.filter(Planned.Run::waitsForPlace).map(run -> JobStatus.Wait.PLACE);
    }

    private Optional<Duration> stalledFor(Job job) {
        return job.progress.map(Planned.Run::stillFor).filter(still -> still.compareTo(stalledAfter) >= 0);
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
                    job.progress.ifPresent(each -> end(job, run, each));
                    runs.add(run);
                }
            }
        }
        runs.add(thread);
        runs.forEach(Uninterruptibles::joinUninterruptibly);
    }
}
