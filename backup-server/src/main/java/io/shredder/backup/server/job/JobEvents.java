// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.schedule.RunEvents;
import java.time.Instant;

/** Is told what jobs do; from several threads. */
public interface JobEvents extends RunEvents {

    /** An image is done. */
    void imageEnded(String job, ImageOutcome outcome);

    /** A machine is done; who knows nothing of machines is told of its images. */
    default void machineEnded(String job, MachineOutcome outcome) {
        outcome.images().forEach(image -> imageEnded(job, image));
    }

    /** Care has been taken, or one image of it is done. */
    void careEnded(String care, CareOutcome outcome);

    /** An agent has said how the keepers of its store stand. */
    void keepersSeen(KeepersState state);

    /** An agent has said what room its store has left. */
    default void roomSeen(StoreRoom room) {}

    /** What this machine's clock and an agent's showed at one time. */
    default void clocksSeen(Instant own, Instant agents) {}

    /** Tells two, the first one first, and the second one whatever becomes of the first. */
    static JobEvents both(JobEvents first, JobEvents second) {
        return new BothEvents(first, second);
    }
}
