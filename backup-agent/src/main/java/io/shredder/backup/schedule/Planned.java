// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Duration;
import java.util.Optional;

/** What a timetable starts, such as images to back up, or care of what is kept. */
public interface Planned {

    /** In logs, metrics and messages; no two of a plan have the same. */
    String name();

    /** When it runs and when not. */
    RunTimes times();

    /** When; empty for what only commands start. */
    default Optional<Timetable> timetable() {
        return times().timetable();
    }

    /** When it does not start. */
    default QuietTimes quiet() {
        return times().quiet();
    }

    /** Whether it runs even if nobody can remember that it did, so that after a restart it may run again. */
    default boolean mayRunTwice() {
        return false;
    }

    /** A run that is to be started. */
    Run begin();

    /** One run. */
    interface Run {

        /** Runs in the caller's thread to its end. Whether all went well. */
        boolean run();

        /**
         * Has it end soon, from another thread; the interrupt is kept.
         *
         * @param runner is in {@link #run}, or about to be
         * @param why for who asks what became of it, if there is more to say than that the daemon stops
         */
        default void end(Thread runner, Optional<String> why) {
            runner.interrupt();
        }

        /** For how long nothing has advanced of what is under way, as far as calls of this have seen. */
        Duration stillFor();

        /** Whether all that is left of it waits until other runs leave it a place. */
        default boolean waitsForPlace() {
            return false;
        }

        /** How far it is; empty for what can't say. */
        default Optional<RunProgress> progress() {
            return Optional.empty();
        }
    }
}
