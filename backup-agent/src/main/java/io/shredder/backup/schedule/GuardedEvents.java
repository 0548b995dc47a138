// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells on, whatever becomes of who is told: jobs must end, and others begin, all the same.
 *
 * @param told in the caller's thread
 */
record GuardedEvents(RunEvents told) implements RunEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedEvents.class);

    @Override
    public void jobStarted(String job) {
        tell(job, () -> told.jobStarted(job));
    }

    @Override
    public void jobEnded(String job, boolean ok) {
        tell(job, () -> told.jobEnded(job, ok));
    }

    @Override
    public void jobMissed(String job) {
        tell(job, () -> told.jobMissed(job));
    }

    private static void tell(String job, Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            LOG.error("what job {} does was not told everybody, please report it", job, e);
        }
    }
}
