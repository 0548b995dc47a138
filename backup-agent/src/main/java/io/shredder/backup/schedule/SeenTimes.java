// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import io.shredder.backup.command.CommandErrors;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which scheduled times of jobs were seen to, where the state folder's disk may be full, and the clock may have been
 * wrong. Guarded by its scheduler.
 */
final class SeenTimes {

    private static final Logger LOG = LoggerFactory.getLogger(SeenTimes.class);

    private final RunHistory history;
    private final RunEvents events;
    /** Jobs whose time could not be remembered, of which that has been told. */
    private final Set<String> unremembered = new HashSet<>();

    SeenTimes(RunHistory history, RunEvents events) {
        this.history = history;
        this.events = events;
    }

    /** From now on its times count, if the job is new. */
    void begin(String job, Instant now) throws IOException {
        if (history.handled(job).isEmpty()) {
            history.setHandled(job, now);
        }
    }

    /** The latest time of a job that was seen to; the job waits for the next one, so it is not one that is to come. */
    Instant latest(String job, Instant now) {
        Instant latest = history.handled(job).orElse(now);
        if (!ClockAhead.was(latest, now)) {
            return latest;
        }
        LOG.warn(
                "job {} was seen to for {}, which is to come: this machine's clock was ahead. Its times count from now on",
                job,
                latest);
        try {
            history.setHandled(job, now);
        } catch (IOException e) {
            LOG.warn("that is not remembered after a restart: {}", CommandErrors.describe(e));
            history.assumeHandled(job, now);
        }
        return now;
    }

    /** Remembers that a time is seen to; whether the job may run for it, which else is tried again. */
    boolean remember(Planned job, Instant time) {
        String name = job.name();
        try {
            history.setHandled(name, time);
            unremembered.remove(name);
            return true;
        } catch (IOException e) {
            if (job.mayRunTwice()) {
                LOG.warn("job {} may run again after a restart: {}", name, CommandErrors.describe(e));
                history.assumeHandled(name, time);
                return true;
            }
            if (unremembered.add(name)) {
                LOG.error("job {} is not started until that can be remembered: {}", name, CommandErrors.describe(e));
                events.jobMissed(name);
            }
            return false;
        }
    }

    /** The time of a run that was ended is to be made up for as one that was missed. */
    void owe(String job, Instant scheduled) {
        Instant before = scheduled.minusMillis(1);
        try {
            history.setHandled(job, before);
        } catch (IOException e) {
            LOG.warn("job {} is not begun again if the daemon is restarted: {}", job, CommandErrors.describe(e));
            history.assumeHandled(job, before);
        }
    }
}
