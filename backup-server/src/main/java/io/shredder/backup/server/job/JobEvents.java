// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

/** Is told what jobs do; from several threads. */
public interface JobEvents {

    /** A run begins. */
    void jobStarted(String job);

    /** An image is done. */
    void imageEnded(String job, ImageOutcome outcome);

    /** A run has ended. */
    void jobEnded(String job, boolean ok);

    /** Scheduled times were missed and aren't made up for. */
    void jobMissed(String job);
}
