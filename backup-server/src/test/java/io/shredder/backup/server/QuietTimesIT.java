// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.RunHistory;
import io.shredder.backup.server.job.ImageOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups that are under way when rates change and quiet times begin: a real agent, a jumping clock. */
@Timeout(120)
class QuietTimesIT {

    /** At 64 KiB a second it takes a minute and a half. */
    private static final int IMAGE_BYTES = 6 << 20;

    @TempDir
    private Path folder;

    private ClockedDaemon daemon;
    private JobScheduler scheduler;

    private void start(String ofTheJob) throws IOException {
        daemon = new ClockedDaemon(
                folder,
                "jobs: {nightly: {schedule: '0 7 * * *', retry: {times: 0}, " + ofTheJob
                        + ", images: {vm: {file: vm.img}}}}\n");
        daemon.changeImage(IMAGE_BYTES);
        daemon.clock.set(Instant.parse("2026-03-02T06:00:00Z"));
        scheduler = JobScheduler.start(
                daemon.plan(), RunHistory.open(daemon.config().state()), daemon.events(), daemon.clock);
    }

    @AfterEach
    void stop() throws IOException {
        scheduler.close();
        daemon.close();
    }

    private void at(String time) {
        daemon.clock.set(Instant.parse(time));
        scheduler.look();
    }

    private ImageOutcome next() throws InterruptedException {
        return daemon.images.poll(90, TimeUnit.SECONDS);
    }

    private void awaitBytes() throws InterruptedException {
        while (status().progress().filter(run -> !run.underWay().isEmpty()).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private JobStatus status() {
        return scheduler.status().get(0);
    }

    @Test
    void aRateThatEndsCountsForTheBackupThatIsUnderWay() throws Exception {
        start("bandwidth: {'06:00-08:00': 64k, otherwise: unlimited}");
        at("2026-03-02T07:00:00Z");
        awaitBytes();
        assertThat(daemon.images.poll(3, TimeUnit.SECONDS)).as("held back").isNull();
        long begun = System.nanoTime();
        at("2026-03-02T08:00:00Z");
        assertThat(next().error()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aBackupIsEndedWhereThatIsWantedAndGoesOnWithWhatHasArrived() throws Exception {
        start("quiet: ['08:00-18:00'], when-quiet-begins: end, bandwidth: {'06:00-08:00': 1m, otherwise: unlimited}");
        at("2026-03-02T07:00:00Z");
        awaitBytes();
        assertThat(daemon.images.poll(2, TimeUnit.SECONDS)).as("held back").isNull();
        at("2026-03-02T08:00:00Z");
        ImageOutcome ended = next();
        assertThat(ended.error().orElseThrow())
                .contains("the backup was ended: quiet times began; it is tried again after 2026-03-02T18:00:00Z");
        assertThat(daemon.agent().received("vm")).isEmpty();
        while (status().running()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        at("2026-03-02T12:00:00Z");
        assertThat(status().waits()).contains(JobStatus.Wait.QUIET);
        at("2026-03-02T18:00:00Z");
        ImageOutcome again = next();
        assertThat(again.error()).isEmpty();
        assertThat(again.report().orElseThrow().sentBytes()).isLessThan(IMAGE_BYTES);
        assertThat(daemon.agent().received("vm")).hasSize(1);
    }
}
