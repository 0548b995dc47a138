// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.keepers.KeepersState;

/** Is told what jobs do; from several threads. */
public interface JobEvents {

    /** A run begins. */
    void jobStarted(String job);

    /** An image is done. */
    void imageEnded(String job, ImageOutcome outcome);

    /** A run has ended. */
    void jobEnded(String job, boolean ok);

    /** An agent has said how the keepers of its store stand. */
    void keepersSeen(KeepersState state);

    /** Scheduled times were missed and aren't made up for. */
    void jobMissed(String job);

    /** Tells two, the first one first. */
    static JobEvents both(JobEvents first, JobEvents second) {
        return new JobEvents() {
            @Override
            public void jobStarted(String job) {
                first.jobStarted(job);
                second.jobStarted(job);
            }

            @Override
            public void imageEnded(String job, ImageOutcome outcome) {
                first.imageEnded(job, outcome);
                second.imageEnded(job, outcome);
            }

            @Override
            public void jobEnded(String job, boolean ok) {
                first.jobEnded(job, ok);
                second.jobEnded(job, ok);
            }

            @Override
            public void keepersSeen(KeepersState state) {
                first.keepersSeen(state);
                second.keepersSeen(state);
            }

            @Override
            public void jobMissed(String job) {
                first.jobMissed(job);
                second.jobMissed(job);
            }
        };
    }
}
