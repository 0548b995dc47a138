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
}
