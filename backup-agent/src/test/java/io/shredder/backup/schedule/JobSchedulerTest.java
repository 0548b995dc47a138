// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scheduler whose clock jumps. What happens is awaited as it is told. */
@Timeout(60)
class JobSchedulerTest {

    private static final Duration STALLED = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private final JumpingClock clock = new JumpingClock(Instant.parse("2026-03-02T00:00:00Z"));
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private JobScheduler scheduler;
    private volatile boolean badListener;

    private final RunEvents events = new RunEvents() {
        @Override
        public void jobStarted(String job) {
            tell("started " + job);
        }

        @Override
        public void jobEnded(String job, boolean ok) {
            tell((ok ? "ok " : "failed ") + job);
        }

        @Override
        public void jobMissed(String job) {
            tell("missed " + job);
        }

        private void tell(String what) {
            told.add(what);
            if (badListener) {
                throw new IllegalStateException("a page can't be made");
            }
        }
    };

    /** Runs until it is let go on, or ended. */
    private static final class Work implements Planned {
        private final Timetable timetable;
        private final QuietTimes quiet;
        private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
        private volatile CountDownLatch held = new CountDownLatch(0);

        Work(String schedule, MissedRun missed, QuietTimes.UnderWay underWay, String... quiet) {
            this.timetable = Timetable.of(schedule, ZoneOffset.UTC, Duration.ZERO, missed);
            this.quiet = new QuietTimes(Stream.of(quiet).map(WeekWindow::parse).toList(), ZoneOffset.UTC, underWay);
        }

        @Override
        public String name() {
            return "work";
        }

        @Override
        public RunTimes times() {
            return new RunTimes(Optional.of(timetable), quiet);
        }

        @Override
        public Run begin() {
            return new Run() {
                @Override
                public boolean run() {
                    try {
                        held.await();
                        return true;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return false;
                    }
                }

                @Override
                public void end(Thread runner, Optional<String> why) {
                    reasons.add(why.orElse("stop"));
                    runner.interrupt();
                }

                @Override
                public Duration stillFor() {
                    return Duration.ZERO;
                }
            };
        }
    }

    @BeforeEach
    void nothingYet() {
        scheduler = null;
    }

    private void start(Work work) throws IOException {
        scheduler = JobScheduler.start(
                new JobScheduler.Plan(List.of(work), STALLED), RunHistory.open(folder), events, clock);
    }

    @AfterEach
    void stop() {
        if (scheduler != null) {
            scheduler.close();
        }
    }

    private void at(String time) {
        clock.set(Instant.parse(time));
        scheduler.look();
    }

    private String next() throws InterruptedException {
        return told.poll(30, TimeUnit.SECONDS);
    }

    private JobStatus status() {
        return scheduler.status().get(0);
    }

    private void awaitIdle() {
        while (status().running()) {
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(2));
        }
    }

    @Test
    void whatIsDueInAQuietTimeRunsOnceWhenItIsOver() throws Exception {
        start(new Work("0 * * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON, "08:00-18:00"));
        at("2026-03-02T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        for (String time : new String[] {"2026-03-02T08:00:00Z", "2026-03-02T12:00:00Z", "2026-03-02T17:59:59Z"}) {
            at(time);
            assertThat(told).as(time).isEmpty();
            assertThat(status().waits()).contains(JobStatus.Wait.QUIET);
            assertThat(status().nextStart()).contains(Instant.parse("2026-03-02T18:00:00Z"));
        }
        at("2026-03-02T18:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        scheduler.look();
        assertThat(told).isEmpty();
        assertThat(status().waits()).isEmpty();
        assertThat(status().nextStart()).contains(Instant.parse("2026-03-02T19:00:00Z"));
    }

    @Test
    void whatIsOwedWhenAQuietTimeBeginsIsNotForgottenByARestart() throws Exception {
        Work work = new Work("30 9 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON, "08:00-18:00", "20:00-21:00");
        start(work);
        at("2026-03-02T10:00:00Z");
        scheduler.close();
        start(work);
        assertThat(told).isEmpty();
        at("2026-03-02T20:30:00Z");
        assertThat(told).as("down until another one began").isEmpty();
        at("2026-03-02T21:00:00Z");
        assertThat(next()).isEqualTo("started work");
    }

    @Test
    void whatIsNotMadeUpForIsLeftOutInQuietTimes() throws Exception {
        start(new Work("0 * * * *", MissedRun.SKIP, QuietTimes.UnderWay.GO_ON, "00:00-10:30"));
        for (int hour = 1; hour <= 10; hour++) {
            at(String.format("2026-03-02T%02d:00:00Z", hour));
            assertThat(status().waits()).isEmpty();
        }
        at("2026-03-02T10:30:00Z");
        assertThat(told).isEmpty();
        at("2026-03-02T11:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        at("2026-03-02T12:30:00Z");
        assertThat(next()).as("not for quiet times").isEqualTo("missed work");
    }

    @Test
    void aRunGoesOnWhenAQuietTimeBegins() throws Exception {
        Work work = new Work("0 7 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON, "08:00-18:00");
        work.held = new CountDownLatch(1);
        start(work);
        at("2026-03-02T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        at("2026-03-02T09:00:00Z");
        assertThat(work.reasons).isEmpty();
        work.held.countDown();
        assertThat(next()).isEqualTo("ok work");
    }

    @Test
    void aRunIsEndedWhereThatIsWantedAndBeginsAgainOnce() throws Exception {
        Work work = new Work("0 7 * * *", MissedRun.RUN, QuietTimes.UnderWay.END, "08:00-18:00");
        work.held = new CountDownLatch(1);
        start(work);
        at("2026-03-02T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        at("2026-03-02T07:59:59Z");
        assertThat(work.reasons).isEmpty();
        at("2026-03-02T08:00:00Z");
        assertThat(next()).isEqualTo("failed work");
        assertThat(work.reasons.take()).contains("quiet times began").contains("2026-03-02T18:00:00Z");
        awaitIdle();
        work.held = new CountDownLatch(0);
        at("2026-03-02T12:00:00Z");
        assertThat(told).isEmpty();
        assertThat(RunHistory.open(folder).handled("work"))
                .hasValueSatisfying(time -> assertThat(time).isBefore(Instant.parse("2026-03-02T07:00:00Z")));
        at("2026-03-02T18:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        at("2026-03-03T06:00:00Z");
        assertThat(told).isEmpty();
    }

    @Test
    void aClockThatIsSetBackStartsNothingTwice() throws Exception {
        start(new Work("0 7 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON, "08:00-18:00"));
        at("2026-03-02T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        at("2026-03-01T07:00:00Z");
        at("2026-03-02T07:00:00Z");
        assertThat(told).isEmpty();
        at("2026-03-03T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
    }

    @Test
    void whatSomebodyWantsNowRunsInQuietTimesToItsEndAndNeverTwiceAtOnce() throws Exception {
        Work work = new Work("0 1 * * *", MissedRun.RUN, QuietTimes.UnderWay.END, "00:30-05:00");
        work.held = new CountDownLatch(1);
        start(work);
        at("2026-03-02T00:40:00Z");
        assertThat(scheduler.start("work")).isEqualTo(JobControl.Said.DONE);
        assertThat(next()).isEqualTo("started work");
        assertThat(scheduler.start("work")).isEqualTo(JobControl.Said.RUNS);
        at("2026-03-02T00:50:00Z");
        assertThat(work.reasons).isEmpty();
        work.held.countDown();
        assertThat(next()).isEqualTo("ok work");
        assertThat(scheduler.start("other")).isEqualTo(JobControl.Said.UNKNOWN);
    }

    @Test
    void whatIsStoppedSaysByWhomAndItsTimesStay() throws Exception {
        Work work = new Work("0 1 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON);
        work.held = new CountDownLatch(1);
        start(work);
        assertThat(scheduler.stop("work")).isEqualTo(JobControl.Said.RESTS);
        at("2026-03-02T01:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(scheduler.stop("work")).isEqualTo(JobControl.Said.DONE);
        assertThat(next()).isEqualTo("failed work");
        assertThat(work.reasons.take()).isEqualTo("it was stopped at the console");
        awaitIdle();
        work.held.countDown();
        at("2026-03-03T01:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
    }

    @Test
    void aPausedJobMissesItsTimesAndOnceThePauseIsOverItRuns() throws Exception {
        Work work = new Work("0 1 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON);
        start(work);
        assertThat(scheduler.pause("work", Instant.parse("2026-03-03T02:00:00Z")))
                .isEqualTo(JobControl.Said.DONE);
        at("2026-03-02T01:00:00Z");
        assertThat(next()).isEqualTo("missed work");
        assertThat(scheduler.pausedUntil("work")).isPresent();
        assertThat(scheduler.start("work")).as("by hand").isEqualTo(JobControl.Said.DONE);
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        at("2026-03-03T01:00:00Z");
        assertThat(next()).isEqualTo("missed work");
        at("2026-03-04T01:00:00Z");
        assertThat(scheduler.pausedUntil("work")).isEmpty();
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        scheduler.pause("work", Instant.parse("2026-04-01T00:00:00Z"));
        scheduler.resume("work");
        at("2026-03-05T01:00:00Z");
        assertThat(next()).isEqualTo("started work");
    }

    @Test
    void whatIsEndedByQuietTimesAndNotMadeUpForWaitsForItsNextTime() throws Exception {
        Work work = new Work("0 7 * * *", MissedRun.SKIP, QuietTimes.UnderWay.END, "08:00-18:00");
        work.held = new CountDownLatch(1);
        start(work);
        at("2026-03-02T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        at("2026-03-02T08:00:00Z");
        assertThat(next()).isEqualTo("failed work");
        assertThat(work.reasons.take()).isEqualTo("quiet times began; it is tried again at its next time");
        awaitIdle();
        work.held = new CountDownLatch(0);
        at("2026-03-02T18:00:00Z");
        at("2026-03-03T06:59:59Z");
        assertThat(told).isEmpty();
        at("2026-03-03T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
    }

    @Test
    void whatAFullDiskKeptFromStartingIsToldOnceAndStartsWhenThereIsRoom() throws Exception {
        start(new Work("0 7 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON));
        Path inTheWay = Files.createDirectory(folder.resolve("history.json.new"));
        at("2026-03-02T07:00:00Z");
        at("2026-03-02T07:01:00Z");
        at("2026-03-02T07:02:00Z");
        assertThat(next()).isEqualTo("missed work");
        assertThat(told).isEmpty();
        Files.delete(inTheWay);
        at("2026-03-02T07:03:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        scheduler.look();
        assertThat(told).isEmpty();
    }

    @Test
    void aClockThatWasYearsAheadHasNothingWaitForThem() throws Exception {
        Work work = new Work("0 7 * * *", MissedRun.RUN, QuietTimes.UnderWay.GO_ON);
        start(work);
        at("2036-03-02T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        at("2026-03-02T08:00:00Z");
        assertThat(told).isEmpty();
        scheduler.close();
        start(work);
        at("2026-03-03T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
    }

    @Test
    void aJobEndsAndStartsAgainWhateverBecomesOfWhoIsTold() throws Exception {
        badListener = true;
        start(new Work("0 7 * * *", MissedRun.SKIP, QuietTimes.UnderWay.GO_ON));
        at("2026-03-02T12:00:00Z");
        assertThat(next()).isEqualTo("missed work");
        at("2026-03-03T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
        assertThat(next()).isEqualTo("ok work");
        awaitIdle();
        at("2026-03-04T07:00:00Z");
        assertThat(next()).isEqualTo("started work");
    }
}
