// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.monitoring.Figures;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RunEvents;
import io.shredder.backup.schedule.RunHistory;
import io.shredder.backup.schedule.Timetable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an agent's own care at its times. What ran and how far it came is kept in the folder {@code care} of the
 * repository. Threads are {@code job-scheduler}, {@code job-gc} and {@code job-verify}. To be closed before the
 * repository.
 */
public final class AgentCare implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentCare.class);
    private static final Duration NEVER_STALLED = Duration.ofDays(36_500);

    private final CareFigures figures = new CareFigures();
    private final List<Planned> planned = new ArrayList<>();
    private final Optional<CareLedger> ledger;
    private final Optional<JobScheduler> scheduler;

    private AgentCare(Repository repository, Path folder, AgentCareConfig config, Clock clock) throws IOException {
        if (config.collection().isPresent()) {
            AgentCareConfig.Collection gc = config.collection().get();
            planned.add(new CollectionRuns(repository, gc, gc.bandwidth().pace(clock), figures));
        }
        if (config.verification().isPresent()) {
            AgentCareConfig.Verification verify = config.verification().get();
            this.ledger = Optional.of(CareLedger.open(Files.createDirectories(folder)));
            planned.add(new VerificationRuns(
                    repository, verify, verify.bandwidth().pace(clock), ledger.get(), clock, figures));
        } else {
            this.ledger = Optional.empty();
        }
        this.scheduler = planned.isEmpty()
                ? Optional.empty()
                : Optional.of(JobScheduler.start(
                        new JobScheduler.Plan(planned, NEVER_STALLED),
                        history(Files.createDirectories(folder)),
                        new Noted(clock),
                        clock));
    }

    /** One that is damaged keeps no agent from serving: care then waits for its next time. */
    private static RunHistory history(Path folder) throws IOException {
        try {
            return RunHistory.open(folder);
        } catch (IOException e) {
            LOG.error("{}; it is begun anew", CommandErrors.describe(e));
            RunHistory.remove(folder);
            return RunHistory.open(folder);
        }
    }

    /**
     * Begins.
     *
     * @param repository stays the caller's
     * @param root its folder
     */
    public static AgentCare start(Repository repository, Path root, AgentCareConfig config, Clock clock)
            throws IOException {
        return new AgentCare(repository, root.resolve("care"), config, clock);
    }

    /** Notes what came of runs. */
    private final class Noted implements RunEvents {

        private final Clock clock;

        Noted(Clock clock) {
            this.clock = clock;
        }

        @Override
        public void jobStarted(String job) {
            figures.set(job, "running", 1);
        }

        @Override
        public void jobEnded(String job, boolean ok) {
            figures.set(job, "running", 0);
            figures.set(job, "last.ok", ok ? 1 : 0);
            if (ok) {
                figures.set(
                        job, "last.success.timestamp.seconds", clock.instant().getEpochSecond());
            }
        }

        @Override
        public void jobMissed(String job) {
            figures.set(job, "last.ok", 0);
        }
    }

    /** How it stands. */
    public List<JobStatus> status() {
        return scheduler.map(JobScheduler::status).orElse(List.of());
    }

    /** The same with what is known beside that. */
    public List<CareStanding> standing() {
        return status().stream().map(this::standing).toList();
    }

    private CareStanding standing(JobStatus status) {
        String schedule = planned.stream()
                .filter(care -> care.name().equals(status.name()))
                .flatMap(care -> care.times().timetable().stream())
                .map(Timetable::toString)
                .findFirst()
                .orElse("");
        return new CareStanding(
                status, schedule, figures.of(status.name()), ledger.flatMap(known -> known.turn(status.name())));
    }

    /** Starts what is due now: for a clock that jumped. Returns whether there may be more. */
    public boolean look() {
        return scheduler.filter(JobScheduler::look).isPresent();
    }

    /** Sets its figures. */
    public void show(Figures shown) {
        for (JobStatus job : status()) {
            figures.set(job.name(), "waiting", job.waits().isPresent() ? 1 : 0);
        }
        figures.show(shown);
    }

    @Override
    public void close() {
        scheduler.ifPresent(JobScheduler::close);
    }
}
