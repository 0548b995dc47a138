// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

/** Is told when runs begin and end; from several threads. */
public interface RunEvents {

    /** A run begins. */
    void jobStarted(String job);

    /** A run has ended. */
    void jobEnded(String job, boolean ok);

    /** Scheduled times were missed and aren't made up for. */
    void jobMissed(String job);
}
