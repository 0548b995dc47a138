// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.keepers.KeepersState;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells two. What one of them fails by is logged, and goes no further: neither the other one, nor the job, may suffer.
 *
 * @param first is told first
 * @param second is told whatever becomes of the first
 */
record BothEvents(JobEvents first, JobEvents second) implements JobEvents {

    private static final Logger LOG = LoggerFactory.getLogger(BothEvents.class);

    private void tell(Consumer<JobEvents> event) {
        tell(first, event);
        tell(second, event);
    }

    private static void tell(JobEvents each, Consumer<JobEvents> event) {
        try {
            event.accept(each);
        } catch (RuntimeException | Error e) {
            LOG.error("what jobs do was not told everybody, please report it", e);
        }
    }

    @Override
    public void jobStarted(String job) {
        tell(each -> each.jobStarted(job));
    }

    @Override
    public void imageEnded(String job, ImageOutcome outcome) {
        tell(each -> each.imageEnded(job, outcome));
    }

    @Override
    public void machineEnded(String job, MachineOutcome outcome) {
        tell(each -> each.machineEnded(job, outcome));
    }

    @Override
    public void careEnded(String care, CareOutcome outcome) {
        tell(each -> each.careEnded(care, outcome));
    }

    @Override
    public void jobEnded(String job, boolean ok) {
        tell(each -> each.jobEnded(job, ok));
    }

    @Override
    public void keepersSeen(KeepersState state) {
        tell(each -> each.keepersSeen(state));
    }

    @Override
    public void roomSeen(StoreRoom room) {
        tell(each -> each.roomSeen(room));
    }

    @Override
    public void clocksSeen(Instant own, Instant agents) {
        tell(each -> each.clocksSeen(own, agents));
    }

    @Override
    public void jobMissed(String job) {
        tell(each -> each.jobMissed(job));
    }
}
