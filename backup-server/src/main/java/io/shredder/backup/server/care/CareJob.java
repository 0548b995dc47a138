// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.RunLock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Care of the configuration, planned. Its steps have limits of time of their own: the agent's silence, and a machine's
 * patience.
 *
 * @param work what is done
 * @param config when
 * @param events is told what it does
 */
public record CareJob(CareWork work, CareConfig config, JobEvents events) implements Planned {

    private static final Logger LOG = LoggerFactory.getLogger(CareJob.class);

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
        return new Run() {
            @Override
            public boolean run() {
                RunLock lock;
                try {
                    lock = RunLock.await(work.site().config().state(), config.name());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
                try (lock) {
                    return runAll();
                }
            }

            @Override
            public Duration stillFor() {
                return Duration.ZERO;
            }
        };
    }

    private boolean runAll() {
        AtomicBoolean ok = new AtomicBoolean(true);
        work.take(outcome -> {
            ok.compareAndSet(true, outcome.succeeded());
            log(outcome);
            tell(outcome, ok);
        });
        return ok.get() && !Thread.currentThread().isInterrupted();
    }

    /** Whoever fails to hear of one image hears of the others. */
    private void tell(CareOutcome outcome, AtomicBoolean ok) {
        try {
            events.careEnded(config.name(), outcome);
        } catch (RuntimeException | Error e) {
            LOG.error("what became of care {} was not told everybody, please report it", config.name(), e);
            ok.set(false);
        }
    }

    private void log(CareOutcome outcome) {
        String what =
                config.name() + outcome.image().map(image -> ", image " + image).orElse("");
        outcome.error().ifPresent(error -> LOG.error("care {}: {}", what, error));
        outcome.problems().forEach(problem -> LOG.error("care {}: {}", what, problem));
        outcome.notes().forEach(note -> LOG.info("care {}: {}", what, note));
        if (outcome.succeeded()) {
            LOG.info("care {}: {}", what, outcome.figures());
        }
    }
}
