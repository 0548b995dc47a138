// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RunProgress;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.server.config.JobConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job of the configuration, planned.
 *
 * @param site what it shares with the others
 * @param config what it does
 * @param events is told what it does
 */
public record ImageJob(BackupSite site, JobConfig config, JobEvents events) implements Planned {

    private static final Logger LOG = LoggerFactory.getLogger(ImageJob.class);

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public RunTimes times() {
        return config.times();
    }

    @Override
    public Run begin() {
        AtomicBoolean ok = new AtomicBoolean(true);
        JobRun run = new JobRun(site, config, outcome -> {
            ok.compareAndSet(true, outcome.succeeded());
            tell(outcome);
            site.news().tell(events);
        });
        return new Run() {
            @Override
            public boolean run() {
                RunLock lock;
                try {
                    lock = RunLock.await(site.state(), config.name());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
                try (lock) {
                    run.run();
                    return ok.get();
                }
            }

            @Override
            public void end(Thread runner, Optional<String> why) {
                why.ifPresent(run::ending);
                runner.interrupt();
            }

            @Override
            public boolean waitsForPlace() {
                return run.waitsForPlace();
            }

            @Override
            public Duration stillFor() {
                return run.stillFor();
            }

            @Override
            public Optional<RunProgress> progress() {
                return Optional.of(run.progress());
            }
        };
    }

    private void tell(SourceOutcome outcome) {
        for (ImageOutcome image : outcome.images()) {
            image.report().ifPresent(report -> {
                LOG.info("{}", report);
                report.warnings().forEach(LOG::warn);
            });
            image.error().ifPresent(error -> LOG.error("image {}: {}", image.image(), error));
        }
        if (outcome instanceof MachineOutcome machine) {
            machine.warnings().forEach(warning -> LOG.warn("machine {}: {}", machine.machine(), warning));
            machine.error().ifPresent(error -> LOG.error("machine {}: {}", machine.machine(), error));
            events.machineEnded(config.name(), machine);
        } else if (outcome instanceof ImageOutcome image) {
            events.imageEnded(config.name(), image);
        }
    }
}
