// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import org.jspecify.annotations.Nullable;

/** Is told what a job's code does. Called by whichever thread does it, before it happens; safe for use by several. */
public interface Observer {

    /**
     * Something is about to happen.
     *
     * @param through the client of HDFS that is used, or null
     * @param what the path, address, variable or library
     * @param by the class of the job that asks for it
     * @throws RunPlainly if it must not happen
     */
    void saw(Sight sight, @Nullable Object through, String what, Class<?> by);

    /**
     * A process is about to be started.
     *
     * @return the command that is started in the place of the one that was meant
     * @throws RunPlainly if it must not happen
     */
    default String[] starts(ProcessStart start) {
        saw(Sight.PROCESS, null, start.command()[0], start.by());
        return start.command();
    }
}
