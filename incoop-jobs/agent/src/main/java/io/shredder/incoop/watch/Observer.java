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
}
