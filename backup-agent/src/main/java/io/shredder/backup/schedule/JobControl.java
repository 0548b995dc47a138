// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The daemon's jobs and care, for who looks at them and may have them start. Thread-safe. */
public interface JobControl {

    /** What became of a wish. */
    enum Said {
        /** It is so now, or will be in a moment. */
        DONE,
        /** No job or care has the name. */
        UNKNOWN,
        /** It runs already. */
        RUNS,
        /** It does not run. */
        RESTS,
        /** The daemon is about to end. */
        ENDS
    }

    /** How all stand. */
    List<JobStatus> status();

    /** Starts a run now, of what is paused, too; its times stay as they are. */
    Said start(String job);

    /** Ends the run that goes on as the daemon's end would: what has arrived at the agent is not sent again. */
    Said stop(String job);

    /**
     * Has none of its times start it until a moment. Those that pass meanwhile are missed. Outlives the daemon.
     *
     * @throws IOException if it can't be remembered: then nothing has changed
     */
    Said pause(String job, Instant until) throws IOException;

    /** Ends a pause. */
    Said resume(String job) throws IOException;

    /** Until when it is paused; empty if it isn't. */
    Optional<Instant> pausedUntil(String job);
}
